//! Reading formulas.

use super::Reader;
use super::cursor::{Cursor, Read};
use crate::{Comparison, Formula, Position, Term};

/// How deep formulas may nest, so that reading them does not exhaust the stack.
pub(super) const DEEPEST: u32 = 200;

impl Reader<'_> {
    pub(super) fn formula(&self, line: &mut Cursor<'_>) -> Read<Formula> {
        self.formula_within(line, DEEPEST)
    }

    fn formula_within(&self, line: &mut Cursor<'_>, depth: u32) -> Read<Formula> {
        let first = self.part(line, depth)?;
        for (sign, other, join) in [
            ("/\\", "\\/", Formula::And as fn(Vec<Formula>) -> Formula),
            ("\\/", "/\\", Formula::Or),
        ] {
            if !line.starts_with(sign) {
                continue;
            }
            let mut parts = vec![first];
            while line.eat(sign) {
                parts.push(self.part(line, depth)?);
            }
            if line.starts_with(other) {
                return Err(line.error("/\\ and \\/ side by side need parentheses"));
            }
            return Ok(join(parts));
        }
        Ok(first)
    }

    fn part(&self, line: &mut Cursor<'_>, depth: u32) -> Read<Formula> {
        let Some(depth) = depth.checked_sub(1) else {
            return Err(line.error("the formula is nested too deeply"));
        };
        if line.eat("~") {
            return Ok(Formula::Not(Box::new(self.part(line, depth)?)));
        }
        if line.eat("(") {
            let inner = self.formula_within(line, depth)?;
            line.expect(")")?;
            return Ok(inner);
        }
        if line.eat_word("true") {
            return Ok(Formula::And(vec![]));
        }
        if line.eat_word("false") {
            return Ok(Formula::Or(vec![]));
        }
        for (word, join) in [
            ("all", Formula::And as fn(Vec<Formula>) -> Formula),
            ("any", Formula::Or),
        ] {
            if line.eat_word(word) {
                line.expect("(")?;
                let inner = self.formula_within(line, depth)?;
                line.expect(")")?;
                return Ok(join(vec![inner]));
            }
        }
        if line.digits_before('@') {
            return self.at(line);
        }
        let left = self.term(line)?;
        let comparison = comparison(line)?;
        Ok(Formula::Compare(comparison, left, self.term(line)?))
    }

    fn at(&self, line: &mut Cursor<'_>) -> Read<Formula> {
        let (thread, function) = self.thread(line)?;
        line.expect("@")?;
        if line.eat_word("end") {
            return Ok(Formula::At(thread, Position::End));
        }
        let label = line.name("a label or `end`")?;
        let Some(block) = function.block_labelled(&label) else {
            return Err(line.error(format!("there is no label {label}")));
        };
        let shown = self.shown_as(line, label)?;
        Ok(Formula::At(thread, Position::Label(block, shown)))
    }

    fn term(&self, line: &mut Cursor<'_>) -> Read<Term> {
        if line.starts_with("&") {
            let address = self.address(line)?;
            let name = self.program.location_name(address);
            return Ok(Term::Address(address, self.shown_as(line, name)?));
        }
        if line.eat("{") {
            let name = line.observable_name()?;
            line.expect("=")?;
            let observable = self.spelled_out(name, line)?;
            line.expect("}")?;
            return Ok(Term::Value(observable));
        }
        if line.starts_with_number() && !line.digits_before(':') {
            return Ok(Term::Number(line.number()?));
        }
        let name = line.observable_name()?;
        match self.program.observable_spelled(&name) {
            Some(observable) => Ok(Term::Value(observable)),
            None => Err(line.error(format!("there is no {name}"))),
        }
    }

    /// ` as "name"`, or the name of its own.
    fn shown_as(&self, line: &mut Cursor<'_>, own: String) -> Read<String> {
        match line.eat_word("as") {
            true => line.quoted(),
            false => Ok(own),
        }
    }
}

fn comparison(line: &mut Cursor<'_>) -> Read<Comparison> {
    let mut signs = Comparison::SIGNS;
    // `<=` before `<`.
    signs.sort_by_key(|(_, sign)| std::cmp::Reverse(sign.len()));
    let found = signs.into_iter().find(|(_, sign)| line.eat(sign));
    found
        .map(|(comparison, _)| comparison)
        .ok_or_else(|| line.expected("a comparison"))
}
