// SPDX-License-Identifier: Apache-2.0
//! A thread that calls a function from time to time. Dropping the watch waits until the thread has
//! ended.

use std::sync::{Arc, Condvar, Mutex};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

#[derive(Default)]
struct Stop {
    asked: Mutex<bool>,
    wake: Condvar,
}

pub struct Watch {
    stop: Arc<Stop>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Calls `look` every `interval`, for the first time after one interval. Fails when no further
    /// thread can be started.
    pub fn start(
        interval: Duration,
        mut look: impl FnMut() + Send + 'static,
    ) -> std::io::Result<Self> {
        let stop = Arc::new(Stop::default());
        let shared = stop.clone();
        let thread = Builder::new().name("tar-watch".into()).spawn(move || {
            let mut asked = shared.asked.lock().expect("nobody panics with it");
            while !*asked {
                let (guard, waited) =
                    shared.wake.wait_timeout(asked, interval).expect("nobody panics with it");
                asked = guard;
                if !*asked && waited.timed_out() {
                    look();
                }
            }
        })?;
        Ok(Watch { stop, thread: Some(thread) })
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Ok(mut asked) = self.stop.asked.lock() {
            *asked = true;
        }
        self.stop.wake.notify_all();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
