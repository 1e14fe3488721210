//! The values that a condition lists for a column, read from its words: `x IN ('a', 'b')`, `x = 'a' OR x = 'b'`.

/// One word of a condition, as far as lists of values need it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// A name, without quotes.
    Name(String),
    /// A text constant, without quotes.
    Text(String),
    /// `(`
    Open,
    /// `)`
    Close,
    /// `,`
    Comma,
    /// `IN`
    In,
    /// `=`
    Equals,
    /// `OR`
    Or,
    /// Anything else: the condition does more than list values.
    Other,
}

/// Returns the values that a condition lists for a column, if it does just that.
pub(super) fn values(words: &[Word], is_column: impl Fn(&str) -> bool) -> Option<Vec<String>> {
    let mut reader = Reader {
        words,
        found: Vec::new(),
        is_column: &is_column,
    };
    reader.alternatives()?;
    reader.words.is_empty().then_some(reader.found)
}

struct Reader<'a> {
    words: &'a [Word],
    found: Vec<String>,
    is_column: &'a dyn Fn(&str) -> bool,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<&'a Word> {
        let (first, rest) = self.words.split_first()?;
        self.words = rest;
        Some(first)
    }

    fn expect(&mut self, word: &Word) -> Option<()> {
        (self.next()? == word).then_some(())
    }

    fn accept(&mut self, word: &Word) -> bool {
        let found = self.words.first() == Some(word);
        if found {
            self.words = &self.words[1..];
        }
        found
    }

    /// Reads alternatives however they are grouped, since that changes nothing. No recursion: the text can be hostile.
    fn alternatives(&mut self) -> Option<()> {
        let mut depth = 0_usize;
        loop {
            while self.accept(&Word::Open) {
                depth += 1;
            }
            self.alternative()?;
            while depth > 0 && self.accept(&Word::Close) {
                depth -= 1;
            }
            if !self.accept(&Word::Or) {
                return (depth == 0).then_some(());
            }
        }
    }

    fn alternative(&mut self) -> Option<()> {
        match self.next()? {
            Word::Name(name) if (self.is_column)(name) => match self.next()? {
                Word::Equals => self.text(),
                Word::In => self.list(),
                _ => None,
            },
            _ => None,
        }
    }

    fn list(&mut self) -> Option<()> {
        self.expect(&Word::Open)?;
        loop {
            self.text()?;
            match self.next()? {
                Word::Comma => {}
                Word::Close => return Some(()),
                _ => return None,
            }
        }
    }

    fn text(&mut self) -> Option<()> {
        let Word::Text(text) = self.next()? else { return None };
        self.found.push(text.clone());
        Some(())
    }
}
