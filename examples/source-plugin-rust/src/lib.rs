// SPDX-License-Identifier: Apache-2.0
//! A source plugin in Rust without a crate. It serves the skills in a tar archive, and follows the
//! archive's changes.
//!
//! Each folder of the archive that has a SKILL.md is a skill. The plugin reads bytes from the
//! archive when the host asks for them, and compares them with the revision as it passes them on.

mod abi;
mod archive;
mod json;
mod plugin;
mod sha256;
mod tar;
mod watch;

use abi::*;
use archive::{Archive, Identity};
use json::Value;
use plugin::{error, Bytes, Call, Document, Documents, Error, Host, Result, Source};
use std::fs;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tar::Failure;
use watch::Watch;

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        let (status, message) = match failure {
            Failure::Unreadable(why) => (SKH_UNAVAILABLE, format!("cannot be read: {}", why)),
            Failure::Corrupt(why) => (SKH_CORRUPT, format!("is not a whole tar archive: {}", why)),
            Failure::Stopped => (SKH_CANCELLED, "cancelled".to_string()),
        };
        Error { status, message }
    }
}

struct Settings {
    archive: String,
    poll: Option<Duration>,
}

impl Settings {
    /// Reads the configuration. The host has checked it against the schema, and this checks the
    /// rest.
    fn read(text: &str) -> Result<Self> {
        let config = json::parse(text)
            .ok_or(Error { status: SKH_INVALID, message: "the configuration is no JSON".into() })?;
        let archive = match config.get("archive") {
            Some(Value::Text(path)) if path.starts_with('/') => path.clone(),
            _ => return error(SKH_INVALID, "archive: is required and must be an absolute path"),
        };
        let seconds = match config.get("poll_seconds") {
            None | Some(Value::Null) => 2.0,
            Some(Value::Number(seconds)) if (0.0..=3600.0).contains(seconds) => *seconds,
            _ => return error(SKH_INVALID, "poll_seconds: must be a number from 0 to 3600"),
        };
        let poll = (seconds > 0.0).then(|| Duration::from_secs_f64(seconds));
        Ok(Settings { archive, poll })
    }
}

/// Holds the last two versions, so that a document that was listed just before can still be read.
#[derive(Default)]
struct Known {
    current: Option<Arc<Archive>>,
    previous: Option<Arc<Archive>>,
}

struct TarSource {
    host: Host,
    path: String,
    known: Mutex<Known>,
    /// The watch uses the host, which is valid until the drop of this instance has ended.
    _watch: Option<Watch>,
}

impl TarSource {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn versions(&self) -> Vec<Arc<Archive>> {
        let known = self.known();
        known.current.iter().chain(&known.previous).cloned().collect()
    }

    /// Returns the present version of the file. Reads it only when it is not the file that was read
    /// last.
    fn load(&self, call: &Call) -> Result<Arc<Archive>> {
        let named = |failure: Failure| {
            let Error { status, message } = failure.into();
            Error { status, message: format!("{}: {}", self.path, message) }
        };
        let data = fs::metadata(&self.path).map_err(|why| named(Failure::Unreadable(why)))?;
        let current = self.known().current.clone();
        if let Some(archive) = current.filter(|archive| archive.identity == Identity::of(&data)) {
            return Ok(archive);
        }
        let loaded = Archive::open(&self.path, || call.point().is_ok()).map_err(named)?;
        loaded.warnings.iter().for_each(|warning| self.host.warn(warning));
        let loaded = Arc::new(loaded);
        let mut known = self.known();
        let replaced = known.current.replace(loaded.clone());
        // A new file with the same contents must not push out the version before them.
        if replaced.as_ref().map_or(false, |old| old.snapshot != loaded.snapshot) {
            known.previous = replaced;
        }
        Ok(loaded)
    }
}

fn described<'a>(
    (skill, path): (&'a String, &'a String),
    document: &'a archive::Document,
) -> Document<'a> {
    let entry = if path == "SKILL.md" { SKH_DOC_ENTRY } else { 0 };
    let executable = if document.executable { SKH_DOC_EXECUTABLE } else { 0 };
    let (revision, length) = (&document.revision, document.length);
    Document { skill, path, revision, length, flags: entry | executable }
}

impl Source for TarSource {
    /// Creates a source. A missing archive may appear later, so it is no error here.
    fn create(host: Host, _: &Call) -> Result<Self> {
        // A panic is reported by its call. This hook keeps Rust from writing to standard error,
        // which belongs to the host.
        std::panic::set_hook(Box::new(|_| {}));
        let settings = Settings::read(host.config()?)?;
        let path = settings.archive.clone();
        let seen = |path: &str| fs::metadata(path).ok().map(|data| Identity::of(&data));
        let mut last = seen(&path);
        let look = move || {
            let now = seen(&path);
            if now != last {
                last = now;
                host.changed();
            }
        };
        let watch = settings.poll.map(|interval| Watch::start(interval, look)).transpose();
        let _watch = match watch {
            Ok(watch) => watch,
            Err(why) => return error(SKH_UNAVAILABLE, format!("cannot start a thread: {}", why)),
        };
        Ok(TarSource { host, path: settings.archive, known: Mutex::default(), _watch })
    }

    fn list(&self, call: &Call, out: &Documents) -> Result<()> {
        call.point()?;
        let archive = self.load(call)?;
        for ((skill, path), document) in &archive.documents {
            call.point()?;
            out.add(&described((skill, path), document))?;
        }
        out.done(&archive.snapshot)
    }

    fn read(&self, call: &Call, which: &Document, out: &Bytes) -> Result<()> {
        if self.known().current.is_none() {
            self.load(call)?;
        }
        for archive in self.versions() {
            let document = match archive.find(which.skill, which.path) {
                Some(document) if document.revision == which.revision => document,
                _ => continue,
            };
            let genuine = archive.read(document, |data| -> Result<()> {
                call.point()?;
                out.write(data)
            })?;
            return if genuine { Ok(()) } else { error(SKH_STALE, "the archive was overwritten") };
        }
        let current = self.known().current.clone();
        match current.and_then(|archive| archive.find(which.skill, which.path).map(|_| ())) {
            Some(()) => error(SKH_STALE, format!("{} has another revision", self.path)),
            None => error(SKH_NOT_FOUND, format!("{} has no such document", self.path)),
        }
    }

    fn changes(&self, call: &Call, since: &str, out: &Documents) -> Result<()> {
        let now = self.load(call)?;
        let before = match self.versions().into_iter().find(|one| one.snapshot == since) {
            Some(before) => before,
            None => return error(SKH_STALE, "that snapshot is no longer known"),
        };
        for (skill, path) in before.documents.keys() {
            if now.find(skill, path).is_none() {
                let removed =
                    Document { skill, path, flags: SKH_DOC_REMOVED, ..Document::default() };
                out.add(&removed)?;
            }
        }
        for ((skill, path), document) in &now.documents {
            call.point()?;
            if !before.find(skill, path).map_or(false, |old| old.same(document)) {
                out.add(&described((skill, path), document))?;
            }
        }
        out.done(&now.snapshot)
    }
}

source_plugin!(
    TarSource,
    id: "org.example.tar\0",
    version: "1.0.0\0",
    summary: "Skills in a tar archive\0",
    licence: "Apache-2.0\0",
    schema: concat!(include_str!("../schema.json"), "\0")
);
