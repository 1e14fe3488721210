//! Expressions in one spelling: what MySQL prints with all parentheses, MariaDB with few, and people as they like.

use super::number;
use super::token::{Token, tokens};

/// Brings an expression to its canonical spelling: names in lower case and bare where they can be, one blank
/// between words, parentheses only where precedence asks for them, one word for each of the synonyms. What this
/// reader does not understand keeps its words in their order.
pub(crate) fn canonical(sql: &str) -> String {
    let words = tokens(sql);
    if sql.len() > LONGEST {
        return verbatim(&words);
    }
    let mut reader = Reader {
        words: &words,
        at: 0,
        depth: 0,
    };
    match reader.expression(0) {
        Some(expr) if reader.at == words.len() => expr.sql,
        _ => verbatim(&words),
    }
}

/// Returns the words of an expression in canonical spelling.
pub(super) fn words(sql: &str) -> Vec<String> {
    tokens(&canonical(sql)).iter().map(print).collect()
}

/// Returns the columns that an expression of the catalog reads: names in backticks that are no function.
pub(crate) fn columns(sql: &str) -> Vec<String> {
    let words = tokens(sql);
    let mut found: Vec<String> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let follows = |symbol: &str| words.get(at + 1).is_some_and(|next| next.is(symbol));
        if let Token::Name(name) = word
            && !follows("(")
            && !follows(".")
            && !found.contains(name)
        {
            found.push(name.clone());
        }
    }
    found
}

/// Longer expressions keep their words: each operator copies what it stands behind, and the text can be hostile.
const LONGEST: usize = 16 * 1024;

/// Nesting beyond this is not read but kept verbatim, so that hostile text cannot exhaust the stack.
const MAX_DEPTH: u32 = 64;

/// Precedence of operators, loosest first (manual, "Operator Precedence").
const OR: u8 = 1;
const XOR: u8 = 2;
const AND: u8 = 3;
const NOT: u8 = 4;
const COMPARE: u8 = 5;
const UNARY: u8 = 12;
const ATOM: u8 = 14;

struct Expr {
    sql: String,
    level: u8,
}

impl Expr {
    fn atom(sql: impl Into<String>) -> Self {
        Self {
            sql: sql.into(),
            level: ATOM,
        }
    }

    /// Returns the text, in parentheses if it binds looser than its place asks for.
    fn at_level(self, level: u8) -> String {
        if self.level < level {
            format!("({})", self.sql)
        } else {
            self.sql
        }
    }
}

struct Reader<'a> {
    words: &'a [Token],
    at: usize,
    depth: u32,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<&'a Token> {
        self.words.get(self.at)
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let found = self.peek().is_some_and(|t| t.is_word(word));
        self.at += usize::from(found);
        found
    }

    fn accept(&mut self, symbol: &str) -> bool {
        let found = self.peek().is_some_and(|t| t.is(symbol));
        self.at += usize::from(found);
        found
    }

    /// Reads an expression whose operators bind at least as tightly as `level`.
    fn expression(&mut self, level: u8) -> Option<Expr> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let mut left = self.prefix()?;
        while let Some(next) = self.infix(&mut left, level) {
            left = next?;
        }
        self.depth -= 1;
        Some(left)
    }

    fn prefix(&mut self) -> Option<Expr> {
        if self.accept_word("not") {
            let operand = self.expression(NOT)?;
            return Some(Expr {
                sql: format!("not {}", operand.at_level(NOT)),
                level: NOT,
            });
        }
        if self.accept("!") {
            let operand = self.expression(UNARY)?;
            return Some(Expr {
                sql: format!("not {}", operand.at_level(NOT)),
                level: NOT,
            });
        }
        if self.accept("+") {
            return self.expression(UNARY);
        }
        for symbol in ["-", "~"] {
            if self.accept(symbol) {
                let operand = self.expression(UNARY)?.at_level(UNARY);
                let sql = format!("{symbol}{operand}");
                return Some(Expr { sql, level: UNARY });
            }
        }
        if self.accept("(") {
            let mut inner = vec![self.expression(0)?];
            while self.accept(",") {
                inner.push(self.expression(0)?);
            }
            if !self.accept(")") {
                return None;
            }
            return match <[Expr; 1]>::try_from(inner) {
                Ok([single]) => Some(single),
                Err(row) => Some(Expr::atom(format!("({})", join(row)))),
            };
        }
        self.atom()
    }

    /// Reads what may follow an operand; nothing if no operator of that level follows. The inner option is
    /// nothing where an operator is not followed by what it needs.
    #[expect(clippy::option_option, reason = "the loop must tell an end from a failure")]
    fn infix(&mut self, left: &mut Expr, level: u8) -> Option<Option<Expr>> {
        let before = self.at;
        let (operator, binds) = self.operator()?;
        if binds < level {
            self.at = before;
            return None;
        }
        let taken = std::mem::replace(left, Expr::atom(""));
        Some(self.operation(taken, &operator, binds))
    }

    /// Reads an infix operator in canonical spelling with its precedence.
    fn operator(&mut self) -> Option<(String, u8)> {
        let word = self.peek()?;
        let (name, binds) = match word {
            Token::Symbol(symbol) => match *symbol {
                "||" => ("or", OR),
                "&&" => ("and", AND),
                "!=" => ("<>", COMPARE),
                "=" | "<" | ">" | "<=" | ">=" | "<>" | "<=>" => (*symbol, COMPARE),
                "|" => ("|", 6),
                "&" => ("&", 7),
                "<<" | ">>" => (*symbol, 8),
                "+" | "-" => (*symbol, 9),
                "*" | "/" | "%" => (*symbol, 10),
                "^" => ("^", 11),
                "->" | "->>" => (*symbol, 13),
                _ => return None,
            },
            Token::Word(word) => match word.to_ascii_lowercase().as_str() {
                "or" => ("or", OR),
                "xor" => ("xor", XOR),
                "and" => ("and", AND),
                "is" => ("is", COMPARE),
                "in" => ("in", COMPARE),
                "like" => ("like", COMPARE),
                "between" => ("between", COMPARE),
                "regexp" | "rlike" => ("regexp", COMPARE),
                "not" => ("not", COMPARE),
                "div" => ("div", 10),
                "mod" => ("%", 10),
                "collate" => ("collate", 13),
                _ => return None,
            },
            _ => return None,
        };
        self.at += 1;
        Some((name.to_owned(), binds))
    }

    fn operation(&mut self, left: Expr, operator: &str, binds: u8) -> Option<Expr> {
        let level = binds;
        match operator {
            "not" => {
                let (inner, _) = self.operator()?;
                if !matches!(inner.as_str(), "in" | "like" | "between" | "regexp") {
                    return None;
                }
                self.operation(left, &inner, binds).map(|expr| Expr {
                    sql: format!("not {}", expr.at_level(NOT)),
                    level: NOT,
                })
            }
            "is" => {
                let negated = self.accept_word("not");
                let what = self.peek()?.name()?.to_ascii_lowercase();
                self.at += 1;
                let is = if negated { "is not" } else { "is" };
                let sql = format!("{} {is} {what}", left.at_level(COMPARE + 1));
                Some(Expr { sql, level })
            }
            "between" => {
                let low = self.expression(COMPARE + 1)?;
                if !self.accept_word("and") {
                    return None;
                }
                let high = self.expression(COMPARE + 1)?;
                let [left, low, high] = [left, low, high].map(|e| e.at_level(COMPARE + 1));
                Some(Expr {
                    sql: format!("{left} between {low} and {high}"),
                    level,
                })
            }
            "in" => {
                if !self.accept("(") {
                    return None;
                }
                let list = self.list()?;
                let sql = format!("{} in ({list})", left.at_level(COMPARE + 1));
                Some(Expr { sql, level })
            }
            _ => {
                let right = self.expression(binds + 1)?;
                // Chains of one logical operator mean the same however they are grouped.
                let chain = matches!(operator, "or" | "and" | "xor");
                let sql = format!(
                    "{} {operator} {}",
                    left.at_level(binds),
                    right.at_level(if chain { binds } else { binds + 1 })
                );
                Some(Expr { sql, level })
            }
        }
    }

    /// Reads a list of expressions up to and with its closing parenthesis.
    fn list(&mut self) -> Option<String> {
        let mut items = Vec::new();
        if self.accept(")") {
            return Some(String::new());
        }
        loop {
            items.push(self.expression(0)?);
            if self.accept(")") {
                return Some(join(items));
            }
            if !self.accept(",") {
                return None;
            }
        }
    }

    fn atom(&mut self) -> Option<Expr> {
        let word = self.peek()?;
        self.at += 1;
        match word {
            Token::Word(name) => self.word(&name.to_ascii_lowercase()),
            Token::Name(_) => {
                let mut sql = identifier(word.name()?);
                while self.accept(".") {
                    sql = format!("{sql}.{}", identifier(self.peek()?.name()?));
                    self.at += 1;
                }
                Some(Expr::atom(sql))
            }
            Token::Text(_) | Token::Number(_) | Token::Bits(_) | Token::Hex(_) => Some(Expr::atom(print(word))),
            Token::Symbol(_) | Token::Stray(_) => None,
        }
    }

    /// Reads what begins with a bare word: a function, a constant, a `CASE`, a column.
    fn word(&mut self, name: &str) -> Option<Expr> {
        if self.accept("(") {
            return self.call(name);
        }
        match name {
            "case" => self.case(),
            "interval" => {
                let amount = self.expression(0)?.at_level(ATOM);
                let unit = self.peek()?.name()?.to_ascii_lowercase();
                self.at += 1;
                Some(Expr {
                    sql: format!("interval {amount} {unit}"),
                    level: UNARY,
                })
            }
            "binary" => {
                let operand = self.expression(UNARY)?.at_level(UNARY);
                Some(Expr {
                    sql: format!("cast({operand} as binary)"),
                    level: ATOM,
                })
            }
            "null" | "true" | "false" | "unknown" | "default" => Some(Expr::atom(name)),
            _ if KEYWORDS.contains(&name) => None,
            _ if is_present_time(name) => Some(Expr::atom(format!("{}()", function(name)))),
            _ => {
                self.at -= 1;
                let mut sql = identifier(self.peek()?.name()?);
                self.at += 1;
                while self.accept(".") {
                    sql = format!("{sql}.{}", identifier(self.peek()?.name()?));
                    self.at += 1;
                }
                Some(Expr::atom(sql))
            }
        }
    }

    fn call(&mut self, name: &str) -> Option<Expr> {
        let name = function(name);
        if !matches!(name, "cast" | "convert") {
            let list = self.list()?;
            return Some(Expr::atom(format!("{name}({list})")));
        }
        // `CAST(x AS type)`, `CONVERT(x USING charset)`: the second half is no expression.
        let value = self.expression(0)?;
        let start = self.at;
        let mut open = 1_u32;
        while open > 0 {
            let word = self.peek()?;
            open = open + u32::from(word.is("(")) - u32::from(word.is(")"));
            self.at += 1;
        }
        let rest = match verbatim(&self.words[start..self.at - 1]).as_str() {
            // How the server prints `BINARY x`.
            "as char charset binary" => "as binary".to_owned(),
            rest => rest.to_owned(),
        };
        let glue = if rest.is_empty() || rest.starts_with(',') {
            ""
        } else {
            " "
        };
        Some(Expr::atom(format!("{name}({}{glue}{rest})", value.sql)))
    }

    fn case(&mut self) -> Option<Expr> {
        let mut sql = "case".to_owned();
        if !self.peek()?.is_word("when") {
            sql = format!("{sql} {}", self.expression(0)?.sql);
        }
        while self.accept_word("when") {
            let condition = self.expression(0)?;
            if !self.accept_word("then") {
                return None;
            }
            let value = self.expression(0)?;
            sql = format!("{sql} when {} then {}", condition.sql, value.sql);
        }
        if self.accept_word("else") {
            sql = format!("{sql} else {}", self.expression(0)?.sql);
        }
        self.accept_word("end").then(|| Expr::atom(format!("{sql} end")))
    }
}

/// Words that cannot stand alone as an operand.
const KEYWORDS: &[&str] = &[
    "and", "as", "between", "by", "collate", "div", "else", "end", "from", "in", "is", "like", "mod", "not", "or",
    "order", "regexp", "rlike", "select", "then", "using", "when", "where", "xor",
];

/// Returns whether a bare word means the present without parentheses.
fn is_present_time(name: &str) -> bool {
    matches!(
        name,
        "current_timestamp"
            | "localtime"
            | "localtimestamp"
            | "current_date"
            | "current_time"
            | "utc_timestamp"
            | "utc_date"
            | "utc_time"
    )
}

/// One name for each function's synonyms.
fn function(name: &str) -> &str {
    match name {
        "current_timestamp" | "localtime" | "localtimestamp" => "now",
        "current_date" => "curdate",
        "current_time" => "curtime",
        "lcase" => "lower",
        "ucase" => "upper",
        "substr" | "mid" => "substring",
        "character_length" => "char_length",
        "power" => "pow",
        other => other,
    }
}

fn join(items: Vec<Expr>) -> String {
    let items: Vec<String> = items.into_iter().map(|e| e.sql).collect();
    items.join(", ")
}

/// Column names do not depend on letter case; backticks stay where the name needs them.
fn identifier(name: &str) -> String {
    let lower = name.to_lowercase();
    let bare = lower.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && lower.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$'))
        && !KEYWORDS.contains(&lower.as_str())
        && !is_present_time(&lower)
        && !matches!(
            lower.as_str(),
            "null" | "true" | "false" | "unknown" | "default" | "case" | "interval" | "binary"
        )
        // `b'1'` and `_utf8mb4'…'` are literals, so a name that could begin one keeps its backticks.
        && !matches!(lower.as_str(), "b" | "x" | "n")
        && !lower.starts_with('_');
    if bare {
        lower
    } else {
        format!("`{}`", lower.replace('`', "``"))
    }
}

fn print(word: &Token) -> String {
    match word {
        Token::Word(word) => word.to_ascii_lowercase(),
        Token::Name(name) => identifier(name),
        Token::Text(text) => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "''")),
        Token::Number(digits) => number::canonical(digits).unwrap_or_else(|| digits.clone()),
        Token::Bits(bits) => format!("b'{bits}'"),
        Token::Hex(hex) if hex.is_empty() => "x''".to_owned(),
        Token::Hex(hex) => format!("0x{hex}"),
        Token::Symbol(symbol) => (*symbol).to_owned(),
        Token::Stray(c) => c.to_string(),
    }
}

/// Prints words in their order with single blanks.
pub(super) fn verbatim(words: &[Token]) -> String {
    let mut sql = String::new();
    for (at, word) in words.iter().enumerate() {
        // A dot beside digits would become a part of the number.
        let is_number = |word: &Token| matches!(word, Token::Number(_));
        let joined = word.is(".") && (at == 0 || !is_number(&words[at - 1]));
        let tight = at == 0 || joined || [")", ",", "("].iter().any(|mark| word.is(mark));
        if !(tight || words[at - 1].is("(") || (words[at - 1].is(".") && !is_number(word))) {
            sql.push(' ');
        }
        sql.push_str(&print(word));
    }
    sql
}

#[cfg(test)]
mod tests;
