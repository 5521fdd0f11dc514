// SPDX-License-Identifier: Apache-2.0
//! Declares skillhost/plugin.h 1.1 in Rust, as far as a source needs it. Names, order and types are
//! those of the header. The numbers are its frozen sizes and offsets: a struct that deviates from
//! them does not compile.
#![allow(non_camel_case_types)]

use std::ffi::c_void;
use std::mem::{align_of, size_of};
use std::os::raw::c_char;

#[allow(dead_code)] // Rust 1.63 does not see the uses in constants
const fn align_up(at: usize, to: usize) -> usize {
    (at + to - 1) / to * to
}

/// Declares a struct of the header, and asserts its size and the offset of each field.
macro_rules! c_struct {
    ($name:ident: $size:literal { $($field:ident @ $offset:literal: $type:ty,)* }) => {
        #[repr(C)]
        #[derive(Clone, Copy)]
        pub struct $name { $(pub $field: $type,)* }
        const _: () = {
            assert!(size_of::<$name>() == $size && align_of::<$name>() == 8);
            let end = 0;
            $(
                let begin = align_up(end, align_of::<$type>());
                assert!(begin == $offset);
                let end = begin + size_of::<$type>();
            )*
            assert!(align_up(end, 8) == $size);
        };
    };
}

pub type skh_status = i32;
pub const SKH_OK: skh_status = 0;
pub const SKH_FAILED: skh_status = -1;
pub const SKH_CANCELLED: skh_status = -2;
pub const SKH_INVALID: skh_status = -4;
pub const SKH_NOT_FOUND: skh_status = -5;
pub const SKH_STALE: skh_status = -6;
pub const SKH_UNAVAILABLE: skh_status = -8;
pub const SKH_CORRUPT: skh_status = -11;

pub const SKH_WARN: i32 = 3;
pub const SKH_DOC_ENTRY: u32 = 1;
pub const SKH_DOC_EXECUTABLE: u32 = 2;
pub const SKH_DOC_REMOVED: u32 = 4;
pub const SKH_MAGIC: u32 = 0x3148_4B53;
pub const SKH_ABI_MINOR: u32 = 1;

c_struct!(skh_str: 16 {
    data @ 0: *const c_char,
    size @ 8: usize,
});

c_struct!(skh_call: 72 {
    size @ 0: u32,
    reserved @ 4: u32,
    deadline_ns @ 8: i64,
    cancelled @ 16: unsafe extern "C" fn(*const skh_call) -> i32,
    progress @ 24: unsafe extern "C" fn(*const skh_call, u64, u64, skh_str),
    fail @ 32: unsafe extern "C" fn(*const skh_call, skh_str),
    traceparent @ 40: skh_str,
    tracestate @ 56: skh_str,
});

c_struct!(skh_host: 120 {
    size @ 0: u32,
    abi_minor @ 4: u32,
    name @ 8: skh_str,
    version @ 24: skh_str,
    instance @ 40: skh_str,
    config @ 56: skh_str,
    cache_dir @ 72: skh_str,
    log @ 88: unsafe extern "C" fn(*const skh_host, i32, skh_str),
    metric @ 96: unsafe extern "C" fn(*const skh_host, i32, skh_str, f64),
    changed @ 104: unsafe extern "C" fn(*const skh_host),
    extension @ 112: unsafe extern "C" fn(*const skh_host, *const c_char) -> *const c_void,
});

c_struct!(skh_bytes: 16 {
    size @ 0: u32,
    reserved @ 4: u32,
    write @ 8: unsafe extern "C" fn(*const skh_bytes, *const c_void, usize) -> skh_status,
});

c_struct!(skh_document: 80 {
    size @ 0: u32,
    flags @ 4: u32,
    skill @ 8: skh_str,
    path @ 24: skh_str,
    revision @ 40: skh_str,
    length @ 56: u64,
    location @ 64: skh_str,
});

c_struct!(skh_documents: 24 {
    size @ 0: u32,
    reserved @ 4: u32,
    add @ 8: unsafe extern "C" fn(*const skh_documents, *const skh_document) -> skh_status,
    done @ 16: unsafe extern "C" fn(*const skh_documents, skh_str) -> skh_status,
});

type list_function =
    unsafe extern "C" fn(*mut c_void, *const skh_call, *const skh_documents) -> skh_status;
type read_function = unsafe extern "C" fn(
    *mut c_void,
    *const skh_call,
    *const skh_document,
    *const skh_bytes,
) -> skh_status;
type changes_function =
    unsafe extern "C" fn(*mut c_void, *const skh_call, skh_str, *const skh_documents) -> skh_status;

c_struct!(skh_source: 32 {
    size @ 0: u32,
    reserved @ 4: u32,
    list @ 8: list_function,
    read @ 16: read_function,
    changes @ 24: Option<changes_function>,
});

c_struct!(skh_plugin: 88 {
    size @ 0: u32,
    flags @ 4: u32,
    kind @ 8: *const c_char,
    id @ 16: *const c_char,
    version @ 24: *const c_char,
    summary @ 32: *const c_char,
    licence @ 40: *const c_char,
    config_schema @ 48: *const c_char,
    ops @ 56: *const c_void,
    create @ 64: unsafe extern "C" fn(*const skh_host, *const skh_call, *mut *mut c_void) -> skh_status,
    destroy @ 72: unsafe extern "C" fn(*mut c_void),
    extension @ 80: Option<unsafe extern "C" fn(*mut c_void, *const c_char) -> *const c_void>,
});

c_struct!(skh_entry: 24 {
    magic @ 0: u32,
    size @ 4: u32,
    abi_minor @ 8: u32,
    needs_minor @ 12: u32,
    plugins @ 16: *const *const skh_plugin,
});
