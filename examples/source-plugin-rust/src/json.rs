// SPDX-License-Identifier: Apache-2.0
//! Reads a JSON text. The reader is kept short, because the host has checked the configuration
//! before; in your own plugin, use a crate.

use std::iter::Peekable;
use std::str::Chars;

#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Value>),
    Map(Vec<(String, Value)>),
}

impl Value {
    /// Returns the value of a key, or None when this is no map or has no such key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        match self {
            Value::Map(pairs) => pairs.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }
}

const DEEPEST: usize = 32;

/// Returns None when `text` is no JSON or is nested more than 32 levels deep.
pub fn parse(text: &str) -> Option<Value> {
    let mut reader = Reader { rest: text.chars().peekable() };
    let value = reader.value(0)?;
    reader.blanks();
    reader.rest.next().is_none().then_some(value)
}

struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
}

impl Reader<'_> {
    fn blanks(&mut self) {
        while self.rest.next_if(|c| matches!(c, ' ' | '\t' | '\r' | '\n')).is_some() {}
    }

    fn comes(&mut self, expected: char) -> bool {
        self.blanks();
        self.rest.next_if_eq(&expected).is_some()
    }

    fn word(&mut self, word: &str, value: Value) -> Option<Value> {
        word.chars().all(|c| self.rest.next() == Some(c)).then_some(value)
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        self.blanks();
        if depth > DEEPEST {
            return None;
        }
        match self.rest.peek()? {
            '{' => self.map(depth),
            '[' => self.list(depth),
            '"' => self.text().map(Value::Text),
            't' => self.word("true", Value::Bool(true)),
            'f' => self.word("false", Value::Bool(false)),
            'n' => self.word("null", Value::Null),
            _ => self.number(),
        }
    }

    fn map(&mut self, depth: usize) -> Option<Value> {
        let mut pairs = Vec::new();
        self.rest.next();
        if self.comes('}') {
            return Some(Value::Map(pairs));
        }
        loop {
            self.blanks();
            let key = self.text()?;
            if !self.comes(':') {
                return None;
            }
            pairs.push((key, self.value(depth + 1)?));
            if self.comes('}') {
                return Some(Value::Map(pairs));
            }
            if !self.comes(',') {
                return None;
            }
        }
    }

    fn list(&mut self, depth: usize) -> Option<Value> {
        let mut items = Vec::new();
        self.rest.next();
        if self.comes(']') {
            return Some(Value::List(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            if self.comes(']') {
                return Some(Value::List(items));
            }
            if !self.comes(',') {
                return None;
            }
        }
    }

    fn number(&mut self) -> Option<Value> {
        let mut digits = String::new();
        while let Some(c) =
            self.rest.next_if(|c| matches!(c, '0'..='9' | '-' | '+' | '.' | 'e' | 'E'))
        {
            digits.push(c);
        }
        digits.parse().ok().map(Value::Number)
    }

    fn text(&mut self) -> Option<String> {
        let mut text = String::new();
        self.rest.next_if_eq(&'"')?;
        loop {
            match self.rest.next()? {
                '"' => return Some(text),
                '\\' => text.push(self.escape()?),
                c if c < ' ' => return None,
                c => text.push(c),
            }
        }
    }

    fn escape(&mut self) -> Option<char> {
        Some(match self.rest.next()? {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'u' => return self.unicode(),
            c @ ('"' | '\\' | '/') => c,
            _ => return None,
        })
    }

    fn unicode(&mut self) -> Option<char> {
        let first = self.hexadecimal()?;
        if !(0xD800..0xDC00).contains(&first) {
            return char::from_u32(first);
        }
        self.word("\\u", Value::Null)?;
        let second = self.hexadecimal()?.checked_sub(0xDC00)?;
        char::from_u32(0x10000 + ((first - 0xD800) << 10) + second)
    }

    fn hexadecimal(&mut self) -> Option<u32> {
        (0..4).try_fold(0, |sum, _| Some(sum * 16 + self.rest.next()?.to_digit(16)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configurations() {
        let value = parse(" {\"a\": \"x\\n\\u00e9\\ud83d\\ude00\\/\", \"b\": [1, -2.5e1, true, null], \"c\": {}} ")
            .unwrap();
        assert_eq!(value.get("a"), Some(&Value::Text("x\né😀/".to_string())));
        let list = vec![Value::Number(1.0), Value::Number(-25.0), Value::Bool(true), Value::Null];
        assert_eq!(value.get("b"), Some(&Value::List(list)));
        assert_eq!(value.get("d"), None);
    }

    #[test]
    fn what_is_no_json() {
        let deep = "[".repeat(1000);
        for text in
            ["", "{", "{\"a\"}", "[1,]", "\"\\ud800\"", "\"\\x\"", "tru", "{} {}", "--1", &deep]
        {
            assert_eq!(parse(text), None, "{}", text);
        }
    }
}
