// SPDX-License-Identifier: Apache-2.0
//! A version of the archive: the documents of its skills, and where their bytes are. It does not
//! depend on skillhost. It never changes, so any number of threads may read it.

use crate::sha256::Sha256;
use crate::tar::{self, Failure};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::os::unix::fs::{FileExt, MetadataExt};

const CHUNK: usize = 64 * 1024;
const ENTRY: &str = "SKILL.md";

/// Distinguishes the versions of a file by its metadata, so that the file need not be read.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Identity([i64; 7]);

impl Identity {
    pub fn of(data: &fs::Metadata) -> Self {
        let (device, inode, size) = (data.dev() as i64, data.ino() as i64, data.size() as i64);
        let (modified, changed) = (data.mtime(), data.ctime());
        Identity([device, inode, size, modified, data.mtime_nsec(), changed, data.ctime_nsec()])
    }
}

pub struct Document {
    offset: u64,
    pub length: u64,
    pub revision: String,
    pub executable: bool,
}

impl Document {
    pub fn same(&self, other: &Document) -> bool {
        self.revision == other.revision && self.executable == other.executable
    }
}

pub struct Archive {
    /// The documents by skill and path.
    pub documents: BTreeMap<(String, String), Document>,
    /// A hash that changes whenever a document does.
    pub snapshot: String,
    pub identity: Identity,
    /// A message for each file that was left out, with the reason.
    pub warnings: Vec<String>,
    /// The file stays open, so that these bytes stay readable after another file is renamed to its
    /// path.
    file: File,
}

impl Archive {
    /// Reads the whole file once to compute the revisions, and keeps no contents. Calls `go_on`
    /// before each header and after each chunk, and fails with `Failure::Stopped` when it returns
    /// false. Fails also when the file is written to meanwhile.
    pub fn open(path: &str, go_on: impl Fn() -> bool) -> Result<Self, Failure> {
        let file = File::open(path).map_err(Failure::Unreadable)?;
        let before = Identity::of(&file.metadata().map_err(Failure::Unreadable)?);
        let (files, mut warnings) = named(tar::entries(&file, &go_on)?);
        let mut documents = BTreeMap::new();
        for ((skill, path), entry) in grouped(&files, &mut warnings) {
            let mut hash = Sha256::new();
            chunks(&file, entry.offset, entry.length, |data| {
                hash.update(data);
                if go_on() {
                    Ok(())
                } else {
                    Err(Failure::Stopped)
                }
            })?;
            let document = Document {
                offset: entry.offset,
                length: entry.length,
                revision: hash.finish(),
                executable: entry.executable,
            };
            documents.insert((skill, path), document);
        }
        let identity = Identity::of(&file.metadata().map_err(Failure::Unreadable)?);
        if identity != before {
            return Err(Failure::Unreadable(std::io::Error::new(
                std::io::ErrorKind::Other,
                "it was written to while it was read",
            )));
        }
        let snapshot = snapshot_of(&documents);
        Ok(Archive { documents, snapshot, identity, warnings, file })
    }

    pub fn find(&self, skill: &str, path: &str) -> Option<&Document> {
        self.documents.get(&(skill.to_string(), path.to_string()))
    }

    /// Passes the bytes to `sink` in order. Returns Ok(false) when they are no longer those of the
    /// revision: the caller must then discard the bytes that were passed.
    pub fn read<E: From<Failure>>(
        &self,
        document: &Document,
        mut sink: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<bool, E> {
        let mut hash = Sha256::new();
        chunks(&self.file, document.offset, document.length, |data| {
            hash.update(data);
            sink(data)
        })?;
        Ok(hash.finish() == document.revision)
    }
}

fn chunks<E: From<Failure>>(
    file: &File,
    offset: u64,
    length: u64,
    mut sink: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let mut buffer = vec![0; CHUNK.min(length as usize)];
    let mut done = 0;
    while done < length {
        let part = (CHUNK as u64).min(length - done) as usize;
        file.read_exact_at(&mut buffer[..part], offset + done).map_err(Failure::Unreadable)?;
        sink(&buffer[..part])?;
        done += part as u64;
    }
    Ok(())
}

/// Returns the entries by path, and warnings about those left out. The later of two entries with
/// the same path counts, as tar does it.
fn named(entries: Vec<tar::Entry>) -> (BTreeMap<String, tar::Entry>, Vec<String>) {
    let (mut files, mut warnings) = (BTreeMap::new(), Vec::new());
    for entry in entries {
        let text = String::from_utf8_lossy(&entry.path).into_owned();
        let path = text.trim_start_matches("./");
        let plain = |name: &str| !matches!(name, "" | "." | "..");
        let printable = !path.contains(|c: char| c.is_control() || c == '\\');
        let unicode = text.as_bytes() == entry.path;
        if unicode && printable && path.split('/').all(plain) {
            files.insert(path.to_string(), entry);
        } else {
            warnings.push(format!("left out {:?}: not a relative, plain path", text));
        }
    }
    (files, warnings)
}

/// Returns the files below a folder with a SKILL.md as (skill, path). The skill is the nearest such
/// folder.
fn grouped<'a>(
    files: &'a BTreeMap<String, tar::Entry>,
    warnings: &mut Vec<String>,
) -> Vec<((String, String), &'a tar::Entry)> {
    let folder = |path: &str| path.rfind('/').map(|slash| path[..slash].to_string());
    let is_entry = |path: &str| path.rsplit('/').next() == Some(ENTRY);
    let skills: BTreeSet<String> =
        files.keys().filter(|path| is_entry(path)).filter_map(|path| folder(path)).collect();
    if files.contains_key(ENTRY) {
        warnings.push("left out SKILL.md: it is in no folder, which would name the skill".into());
    }
    let mut documents = Vec::new();
    for (path, entry) in files {
        let mut above = folder(path);
        while let Some(skill) = above {
            if skills.contains(&skill) {
                let within = path[skill.len() + 1..].to_string();
                documents.push(((skill, within), entry));
                break;
            }
            above = folder(&skill);
        }
    }
    documents
}

fn snapshot_of(documents: &BTreeMap<(String, String), Document>) -> String {
    let mut hash = Sha256::new();
    for ((skill, path), document) in documents {
        for text in [skill.as_str(), path, &document.revision] {
            hash.update(text.as_bytes());
            hash.update(&[0]);
        }
        hash.update(&[document.executable.into()]);
    }
    hash.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::OpenOptions;
    use std::path::PathBuf;

    fn file(name: &str, text: &str) -> Vec<u8> {
        let mut header = [0u8; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[100..107].copy_from_slice(b"0000644");
        header[124..135].copy_from_slice(format!("{:011o}", text.len()).as_bytes());
        header[148..156].copy_from_slice(b"        ");
        header[156] = b'0';
        let sum: u64 = header.iter().map(|byte| u64::from(*byte)).sum();
        header[148..155].copy_from_slice(format!("{:06o}\0", sum).as_bytes());
        let padding = vec![0; (512 - text.len() % 512) % 512];
        [&header[..], text.as_bytes(), &padding].concat()
    }

    fn written(name: &str, text: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("tar-skills-{}-{}", std::process::id(), name));
        let bytes = [file("one/SKILL.md", text), vec![0; 1024]].concat();
        fs::write(&path, bytes).unwrap();
        path
    }

    fn opened(path: &PathBuf) -> Archive {
        Archive::open(path.to_str().unwrap(), || true).unwrap()
    }

    fn text_of(archive: &Archive) -> (bool, Vec<u8>) {
        let mut text = Vec::new();
        let document = archive.find("one", "SKILL.md").unwrap();
        let genuine = archive.read(document, |data| -> Result<(), Failure> {
            text.extend_from_slice(data);
            Ok(())
        });
        (genuine.unwrap(), text)
    }

    #[test]
    fn what_was_listed_survives_a_rename_over_it() {
        let path = written("renamed", "before");
        let before = opened(&path);
        fs::rename(written("renamed-new", "behind"), &path).unwrap();
        let after = opened(&path);
        fs::remove_file(&path).unwrap();
        assert_eq!(text_of(&before), (true, b"before".to_vec()));
        assert_eq!(text_of(&after), (true, b"behind".to_vec()));
        assert_ne!(before.snapshot, after.snapshot);
    }

    #[test]
    fn other_bytes_in_the_same_place_are_noticed() {
        let path = written("overwritten", "before");
        let archive = opened(&path);
        let writer = OpenOptions::new().write(true).open(&path).unwrap();
        writer.write_all_at(b"behind", 512).unwrap();
        fs::remove_file(&path).unwrap();
        assert!(!text_of(&archive).0);
    }

    #[test]
    fn opening_can_be_stopped() {
        let path = written("stopped", "text");
        let outcome = Archive::open(path.to_str().unwrap(), || false);
        fs::remove_file(&path).unwrap();
        assert!(matches!(outcome, Err(Failure::Stopped)));
    }
}
