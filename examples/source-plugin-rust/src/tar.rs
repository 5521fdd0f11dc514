// SPDX-License-Identifier: Apache-2.0
//! Finds the files in a tar archive (ustar, pax and GNU long names) without reading their bytes.
//! The code does not depend on skillhost.

use std::convert::TryInto;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

const BLOCK: u64 = 512;
const LARGEST_EXTENSION: u64 = 64 * 1024;
const MOST_FILES: usize = 100_000;

/// A regular file: `length` bytes at `offset` of the archive.
#[derive(Debug, PartialEq)]
pub struct Entry {
    pub path: Vec<u8>,
    pub offset: u64,
    pub length: u64,
    pub executable: bool,
}

#[derive(Debug)]
pub enum Failure {
    Unreadable(io::Error),
    Corrupt(String),
    Stopped,
}

/// The fields of an extended header, which apply to the entry after it.
#[derive(Default)]
struct Extension {
    path: Option<Vec<u8>>,
    size: Option<u64>,
    sparse: bool,
}

fn corrupt<T>(at: u64, what: &str) -> Result<T, Failure> {
    Err(Failure::Corrupt(format!("{} at byte {}", what, at)))
}

/// Returns every regular file, in the order of the archive, up to the zeros that end it. Links,
/// devices and sparse files are left out. Calls `go_on` before each header, and fails with
/// `Failure::Stopped` when it returns false.
pub fn entries(file: &File, mut go_on: impl FnMut() -> bool) -> Result<Vec<Entry>, Failure> {
    let end = file.metadata().map_err(Failure::Unreadable)?.len();
    let (mut found, mut at, mut extension) = (Vec::new(), 0, Extension::default());
    while at + BLOCK <= end {
        if !go_on() {
            return Err(Failure::Stopped);
        }
        let mut header = [0; BLOCK as usize];
        file.read_exact_at(&mut header, at).map_err(Failure::Unreadable)?;
        if header.iter().all(|byte| *byte == 0) {
            return Ok(found);
        }
        if !checksum_holds(&header) {
            return corrupt(at, "no tar header");
        }
        let own = number(&header[124..136]);
        let is_file = matches!(header[156], b'0' | b'7' | 0);
        // The size in a pax header is that of the file after it, never of another header in
        // between.
        let size = if is_file { extension.size.or(own) } else { own };
        let (begin, size) = match size {
            Some(size) if size <= end - at - BLOCK => (at + BLOCK, size),
            _ => return corrupt(at, "an entry that goes beyond the end of the archive"),
        };
        match header[156] {
            b'L' => extension.path = Some(until_zero(&extended(file, begin, size)?).to_vec()),
            b'x' => read_pax(&extended(file, begin, size)?, &mut extension)
                .ok_or_else(|| Failure::Corrupt(format!("bad extended header at byte {}", at)))?,
            b'g' | b'K' => {}
            _ => {
                let given = std::mem::take(&mut extension);
                if is_file && !given.sparse {
                    let executable = number(&header[100..108]).unwrap_or(0) & 0o111 != 0;
                    let path = given.path.unwrap_or_else(|| own_path(&header));
                    found.push(Entry { path, offset: begin, length: size, executable });
                }
                if found.len() > MOST_FILES {
                    return corrupt(at, "more than 100,000 files");
                }
            }
        }
        at = begin + (size + BLOCK - 1) / BLOCK * BLOCK;
    }
    // An archive that somebody is still copying must not look like a whole one with fewer files.
    corrupt(end, "no end of the archive")
}

fn extended(file: &File, offset: u64, size: u64) -> Result<Vec<u8>, Failure> {
    if size > LARGEST_EXTENSION {
        return corrupt(offset, "an extended header of more than 64 KiB");
    }
    let mut data = vec![0; size as usize];
    file.read_exact_at(&mut data, offset).map_err(Failure::Unreadable)?;
    Ok(data)
}

fn checksum_holds(header: &[u8; BLOCK as usize]) -> bool {
    let sum: u64 = header
        .iter()
        .enumerate()
        .map(|(i, byte)| if (148..156).contains(&i) { u64::from(b' ') } else { u64::from(*byte) })
        .sum();
    number(&header[148..156]) == Some(sum)
}

/// Reads octal digits, or GNU's big-endian binary number after a leading 0x80.
fn number(field: &[u8]) -> Option<u64> {
    if field[0] == 0x80 {
        let (high, low) = field.split_at(field.len() - 8);
        let fits = high[1..].iter().all(|byte| *byte == 0);
        return fits.then(|| u64::from_be_bytes(low.try_into().expect("eight bytes")));
    }
    let text = std::str::from_utf8(until_zero(field)).ok()?.trim_matches(' ');
    if text.is_empty() {
        Some(0)
    } else {
        u64::from_str_radix(text, 8).ok()
    }
}

fn until_zero(field: &[u8]) -> &[u8] {
    let end = field.iter().position(|byte| *byte == 0).unwrap_or(field.len());
    &field[..end]
}

fn own_path(header: &[u8; BLOCK as usize]) -> Vec<u8> {
    let (name, prefix) = (until_zero(&header[..100]), until_zero(&header[345..500]));
    // GNU's own format uses the bytes of the prefix for other data.
    if &header[257..263] != b"ustar\0" || prefix.is_empty() {
        return name.to_vec();
    }
    [prefix, b"/", name].concat()
}

/// Reads records of the form "LENGTH KEY=VALUE\n", where LENGTH counts all bytes of the record.
/// Returns None when the data has another form.
fn read_pax(mut data: &[u8], out: &mut Extension) -> Option<()> {
    while !data.is_empty() {
        let blank = data.iter().position(|byte| *byte == b' ')?;
        let length: usize = std::str::from_utf8(&data[..blank]).ok()?.parse().ok()?;
        let record = data.get(blank + 1..length)?.strip_suffix(b"\n")?;
        let equals = record.iter().position(|byte| *byte == b'=')?;
        let (key, value) = (&record[..equals], &record[equals + 1..]);
        match key {
            b"path" => out.path = Some(value.to_vec()),
            b"size" => out.size = Some(std::str::from_utf8(value).ok()?.parse().ok()?),
            _ => out.sparse |= key.starts_with(b"GNU.sparse."),
        }
        data = &data[length..];
    }
    Some(())
}
