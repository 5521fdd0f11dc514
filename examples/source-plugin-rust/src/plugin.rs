// SPDX-License-Identifier: Apache-2.0
//! A safe layer above abi.rs: implement `Source`, name it in `source_plugin!`, and write no other
//! unsafe line. A panic never unwinds into the host: it becomes a status.

use crate::abi::*;
use std::any::Any;
use std::ffi::c_void;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr;

/// The reason why a call has failed. Operators read the message: never put a secret in it.
#[derive(Debug)]
pub struct Error {
    pub status: skh_status,
    pub message: String,
}

pub type Result<T> = std::result::Result<T, Error>;

pub fn error<T>(status: skh_status, message: impl Into<String>) -> Result<T> {
    Err(Error { status, message: message.into() })
}

/// The functions of a source. Calls of list, read and changes may overlap on any threads.
pub trait Source: Send + Sync + Sized {
    fn create(host: Host, call: &Call) -> Result<Self>;
    fn list(&self, call: &Call, out: &Documents) -> Result<()>;
    fn read(&self, call: &Call, which: &Document, out: &Bytes) -> Result<()>;
    fn changes(&self, call: &Call, since: &str, out: &Documents) -> Result<()>;
}

#[derive(Clone, Copy, Default)]
pub struct Document<'a> {
    pub skill: &'a str,
    pub path: &'a str,
    pub revision: &'a str,
    pub length: u64,
    pub flags: u32,
}

fn lend(text: &str) -> skh_str {
    skh_str { data: text.as_ptr().cast(), size: text.len() }
}

/// # Safety
/// `text` must be valid for as long as the caller lets `'a` live.
unsafe fn borrow<'a>(text: skh_str) -> Result<&'a str> {
    if text.size == 0 {
        return Ok("");
    }
    let bytes = std::slice::from_raw_parts(text.data.cast::<u8>(), text.size);
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(_) => error(SKH_INVALID, "the host sent a text that is not UTF-8"),
    }
}

fn accepted(status: skh_status) -> Result<()> {
    match status {
        SKH_OK => Ok(()),
        refused => error(refused, "the host refused the output"),
    }
}

/// The functions and texts that the host lends to an instance until the instance has been dropped.
#[derive(Clone, Copy)]
pub struct Host(*const skh_host);

// The functions of the host may be called from every thread.
unsafe impl Send for Host {}
unsafe impl Sync for Host {}

impl Host {
    /// Returns the configuration of the instance, a JSON object.
    pub fn config(&self) -> Result<&str> {
        unsafe { borrow((*self.0).config) }
    }
    pub fn warn(&self, message: &str) {
        unsafe { ((*self.0).log)(self.0, SKH_WARN, lend(message)) }
    }
    /// Reports that something may have changed. The host then calls changes() soon.
    pub fn changed(&self) {
        unsafe { ((*self.0).changed)(self.0) }
    }
}

/// The context of one call.
pub struct Call(*const skh_call);

impl Call {
    /// Fails when nobody wants the result any more, so that `?` leaves the call. Call this at least
    /// every 50 ms of work.
    pub fn point(&self) -> Result<()> {
        match unsafe { ((*self.0).cancelled)(self.0) } {
            0 => Ok(()),
            _ => error(SKH_CANCELLED, "cancelled"),
        }
    }
    /// Returns `traceparent` and `tracestate` of W3C Trace Context for requests made for this call;
    /// plugin.h says which servers may receive them. None means that the call belongs to no trace,
    /// or that the host is older than minor 1.
    #[allow(dead_code)] // this plugin sends no requests
    pub fn trace(&self) -> Option<(&str, &str)> {
        // Minor 1 added both fields, at the end of the struct.
        let knows = unsafe { (*self.0).size as usize >= std::mem::size_of::<skh_call>() };
        if !knows {
            return None;
        }
        let parent = unsafe { borrow((*self.0).traceparent).ok()? };
        let state = unsafe { borrow((*self.0).tracestate).ok()? };
        (!parent.is_empty()).then_some((parent, state))
    }
}

pub struct Documents(*const skh_documents);

impl Documents {
    pub fn add(&self, document: &Document) -> Result<()> {
        let raw = skh_document {
            size: std::mem::size_of::<skh_document>() as u32,
            flags: document.flags,
            skill: lend(document.skill),
            path: lend(document.path),
            revision: lend(document.revision),
            length: document.length,
            location: lend(""),
        };
        accepted(unsafe { ((*self.0).add)(self.0, &raw) })
    }
    /// Ends the list. Call this exactly once, after the last add().
    pub fn done(&self, snapshot: &str) -> Result<()> {
        accepted(unsafe { ((*self.0).done)(self.0, lend(snapshot)) })
    }
}

pub struct Bytes(*const skh_bytes);

impl Bytes {
    pub fn write(&self, data: &[u8]) -> Result<()> {
        accepted(unsafe { ((*self.0).write)(self.0, data.as_ptr().cast(), data.len()) })
    }
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("the plugin panicked: {}", text.unwrap_or("no reason given"))
}

/// Runs the body of a call, and turns its errors and panics into statuses.
///
/// # Safety
/// `call` must be the context of a call that has not returned.
unsafe fn guard(call: *const skh_call, body: impl FnOnce(&Call) -> Result<()>) -> skh_status {
    let outcome = catch_unwind(AssertUnwindSafe(|| body(&Call(call))));
    let failure = match outcome {
        Ok(Ok(())) => return SKH_OK,
        Ok(Err(failure)) => failure,
        Err(panic) => Error { status: SKH_FAILED, message: panic_text(panic.as_ref()) },
    };
    ((*call).fail)(call, lend(&failure.message));
    failure.status
}

pub unsafe extern "C" fn create<T: Source>(
    host: *const skh_host,
    call: *const skh_call,
    out: *mut *mut c_void,
) -> skh_status {
    guard(call, |context| {
        *out = Box::into_raw(Box::new(T::create(Host(host), context)?)).cast();
        Ok(())
    })
}

pub unsafe extern "C" fn destroy<T: Source>(instance: *mut c_void) {
    // A panic must not unwind into the host, and no call is left that could report it.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(Box::from_raw(instance.cast::<T>()))));
}

unsafe extern "C" fn list<T: Source>(
    instance: *mut c_void,
    call: *const skh_call,
    out: *const skh_documents,
) -> skh_status {
    guard(call, |context| (*instance.cast::<T>()).list(context, &Documents(out)))
}

unsafe extern "C" fn read<T: Source>(
    instance: *mut c_void,
    call: *const skh_call,
    which: *const skh_document,
    out: *const skh_bytes,
) -> skh_status {
    guard(call, |context| {
        let document = Document {
            skill: borrow((*which).skill)?,
            path: borrow((*which).path)?,
            revision: borrow((*which).revision)?,
            length: (*which).length,
            flags: (*which).flags,
        };
        (*instance.cast::<T>()).read(context, &document, &Bytes(out))
    })
}

unsafe extern "C" fn changes<T: Source>(
    instance: *mut c_void,
    call: *const skh_call,
    since: skh_str,
    out: *const skh_documents,
) -> skh_status {
    guard(call, |context| (*instance.cast::<T>()).changes(context, borrow(since)?, &Documents(out)))
}

pub const fn source_functions<T: Source>() -> skh_source {
    skh_source {
        size: std::mem::size_of::<skh_source>() as u32,
        reserved: 0,
        list: list::<T>,
        read: read::<T>,
        changes: Some(changes::<T>),
    }
}

/// Static data of the plugin. Nobody writes to it, so every thread may read it.
#[repr(transparent)]
pub struct Static<T>(pub T);
unsafe impl<T> Sync for Static<T> {}

pub const END: *const skh_plugin = ptr::null();

/// Exports one source. All texts must be literals that end in "\0".
#[macro_export]
macro_rules! source_plugin {
    ($type:ty, id: $id:expr, version: $version:expr, summary: $summary:expr,
     licence: $licence:expr, schema: $schema:expr) => {
        static FUNCTIONS: $crate::plugin::Static<$crate::abi::skh_source> =
            $crate::plugin::Static($crate::plugin::source_functions::<$type>());
        static PLUGIN: $crate::plugin::Static<$crate::abi::skh_plugin> =
            $crate::plugin::Static($crate::abi::skh_plugin {
                size: std::mem::size_of::<$crate::abi::skh_plugin>() as u32,
                flags: 0,
                kind: "skh.source/1\0".as_ptr().cast(),
                id: $id.as_ptr().cast(),
                version: $version.as_ptr().cast(),
                summary: $summary.as_ptr().cast(),
                licence: $licence.as_ptr().cast(),
                config_schema: $schema.as_ptr().cast(),
                ops: &FUNCTIONS as *const _ as *const std::ffi::c_void,
                create: $crate::plugin::create::<$type>,
                destroy: $crate::plugin::destroy::<$type>,
                extension: None,
            });
        static PLUGINS: $crate::plugin::Static<[*const $crate::abi::skh_plugin; 2]> =
            $crate::plugin::Static([&PLUGIN.0, $crate::plugin::END]);

        /// The only symbol this library exports.
        #[no_mangle]
        pub static skh_plugin_entry_v1: $crate::plugin::Static<$crate::abi::skh_entry> =
            $crate::plugin::Static($crate::abi::skh_entry {
                magic: $crate::abi::SKH_MAGIC,
                size: std::mem::size_of::<$crate::abi::skh_entry>() as u32,
                abi_minor: $crate::abi::SKH_ABI_MINOR,
                needs_minor: 0,
                plugins: &PLUGINS.0 as *const _,
            });
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    thread_local!(static FAILURE: RefCell<String> = RefCell::default());

    unsafe extern "C" fn cancelled(_: *const skh_call) -> i32 {
        1
    }
    unsafe extern "C" fn progress(_: *const skh_call, _: u64, _: u64, _: skh_str) {}
    unsafe extern "C" fn fail(_: *const skh_call, message: skh_str) {
        let text = borrow(message).unwrap().to_string();
        FAILURE.with(|failure| *failure.borrow_mut() = text);
    }

    fn guarded(body: impl FnOnce(&Call) -> Result<()>) -> (skh_status, String) {
        let size = std::mem::size_of::<skh_call>() as u32;
        let deadline_ns = i64::MAX;
        let (traceparent, tracestate) = (lend("00-trace-span-01"), lend("a=1"));
        let call = skh_call {
            size,
            reserved: 0,
            deadline_ns,
            cancelled,
            progress,
            fail,
            traceparent,
            tracestate,
        };
        let status = unsafe { guard(&call, body) };
        (status, FAILURE.with(|failure| failure.take()))
    }

    #[test]
    fn nothing_unwinds_over_the_edge() {
        let (status, message) = guarded(|_| panic!("number {}", 7));
        assert_eq!((status, message.as_str()), (SKH_FAILED, "the plugin panicked: number 7"));
        let (status, message) = guarded(|_| std::panic::resume_unwind(Box::new(7)));
        assert_eq!(
            (status, message.as_str()),
            (SKH_FAILED, "the plugin panicked: no reason given")
        );
    }

    #[test]
    fn errors_become_statuses() {
        let (status, message) = guarded(|_| error(SKH_STALE, "gone"));
        assert_eq!((status, message.as_str()), (SKH_STALE, "gone"));
        assert_eq!(guarded(|call| call.point()).0, SKH_CANCELLED);
        assert_eq!(guarded(|_| Ok(())), (SKH_OK, String::new()));
    }

    #[test]
    fn a_call_names_its_trace() {
        let (status, _) = guarded(|call| {
            assert_eq!(call.trace(), Some(("00-trace-span-01", "a=1")));
            let older = skh_call { size: 40, ..unsafe { *call.0 } };
            assert_eq!(Call(&older).trace(), None);
            Ok(())
        });
        assert_eq!(status, SKH_OK);
    }
}
