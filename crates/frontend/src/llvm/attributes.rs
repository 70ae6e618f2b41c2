//! Attributes: most say nothing about what a program does and are skipped by their
//! shape, so that those of future versions are skipped as well: `word`,
//! `word(balanced)`, `word 8`, `"key"="value"`, `#7`. They end with the line at the
//! latest.

use super::lexer::Kind;
use super::module::{Linkage, Passing};
use super::reader::{Read, Reader, decimal};

impl<'a> Reader<'a> {
    /// Finds the groups of attributes with `noreturn`. They stand behind the functions
    /// that use them.
    pub fn scan_groups(&mut self, text: &'a str) {
        const START: &str = "attributes #";
        let mut rest = text;
        while let Some(at) = rest.find(START) {
            let line_start = at == 0 || rest.as_bytes().get(at - 1) == Some(&b'\n');
            rest = &rest[at + START.len()..];
            if !line_start {
                continue;
            }
            let line = rest.lines().next().unwrap_or_default();
            let digits = line.bytes().take_while(u8::is_ascii_digit).count();
            let number = decimal(&line.as_bytes()[..digits]);
            let no_return = line.split([' ', '{', '}']).any(|word| word == "noreturn");
            if let (Some(number), true) = (number.and_then(|n| u32::try_from(n).ok()), no_return) {
                self.no_return.insert(number);
            }
        }
    }

    /// Skips one attribute, and says whether there was one.
    pub fn skip_attribute(&mut self) -> Read<bool> {
        if self.at_line_end() {
            return Ok(false);
        }
        match self.token.kind {
            Kind::Word => {
                let number = matches!(self.body(), b"align" | b"alignstack" | b"cc");
                self.advance();
                if self.at_line_end() {
                    return Ok(true);
                }
                if self.is(b'(') {
                    self.skip_balanced()?;
                } else if self.take(b'=') || number && self.token.kind == Kind::Number {
                    self.advance();
                }
                Ok(true)
            }
            Kind::Text => {
                self.advance();
                if !self.at_line_end() && self.take(b'=') {
                    self.advance();
                }
                Ok(true)
            }
            Kind::Group => {
                self.advance();
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Skips words such as `nuw`, up to anything else.
    pub fn skip_words(&mut self) {
        while self.token.kind == Kind::Word && !self.at_line_end() {
            self.advance();
        }
    }

    /// Skips what stands before a type: calling conventions, attributes of the result,
    /// flags. The type's own words are not skipped.
    pub fn skip_to_type(&mut self) -> Read<()> {
        while !self.at_type() && self.skip_attribute()? {}
        Ok(())
    }

    /// Reads the attributes between the type of a parameter and its value.
    pub fn parameter_attributes(&mut self) -> Read<Passing> {
        Ok(self.argument_attributes()?.0)
    }

    /// The same, with the `align` of a pointer.
    pub fn argument_attributes(&mut self) -> Read<(Passing, Option<u64>)> {
        let mut passing = Passing::Plain;
        let mut align = None;
        while !self.at_value() {
            if self.token.kind == Kind::Word && self.body() == b"align" {
                self.advance();
                if self.token.kind == Kind::Number && !self.at_line_end() {
                    align = decimal(self.body());
                    self.advance();
                } else if self.is(b'(') {
                    self.skip_balanced()?;
                }
                continue;
            }
            let word = match self.token.kind {
                Kind::Word if self.lexer.after(self.token) == Some(b'(') => self.body(),
                _ => b"",
            };
            let make = match word {
                b"byval" => Passing::ByValue,
                b"sret" => Passing::StructReturn,
                b"elementtype" => Passing::Element,
                b"byref" | b"inalloca" | b"preallocated" => Passing::Other,
                _ => {
                    if !self.skip_attribute()? {
                        break;
                    }
                    continue;
                }
            };
            self.advance();
            self.expect(b'(')?;
            passing = make(self.value_type()?);
            self.expect(b')')?;
        }
        Ok((passing, align))
    }

    /// Skips the attributes behind the arguments of a call, and says whether `noreturn`
    /// is among them.
    pub fn function_attributes(&mut self) -> Read<bool> {
        let mut no_return = false;
        loop {
            let before = self.token.start;
            no_return |= self.one_function_attribute()?;
            if self.token.start == before {
                return Ok(no_return);
            }
        }
    }

    /// Skips at most one attribute, and says whether it is `noreturn`.
    pub fn one_function_attribute(&mut self) -> Read<bool> {
        let no_return = match self.token.kind {
            // `invoke` goes on.
            Kind::Word if self.body() == b"to" => return Ok(false),
            Kind::Word => self.body() == b"noreturn",
            Kind::Group => decimal(self.body())
                .and_then(|number| u32::try_from(number).ok())
                .is_some_and(|number| self.no_return.contains(&number)),
            _ => false,
        };
        Ok(self.skip_attribute()? && no_return)
    }

    /// What a word says about linkage.
    pub fn linkage_word(&self) -> Option<Linkage> {
        if self.token.kind != Kind::Word {
            return None;
        }
        Some(match self.body() {
            b"external" => Linkage::External,
            b"private" => Linkage::Private,
            b"internal" => Linkage::Internal,
            b"available_externally" => Linkage::AvailableExternally,
            b"linkonce" => Linkage::LinkOnce,
            b"linkonce_odr" => Linkage::LinkOnceOdr,
            b"weak" => Linkage::Weak,
            b"weak_odr" => Linkage::WeakOdr,
            b"common" => Linkage::Common,
            b"appending" => Linkage::Appending,
            b"extern_weak" => Linkage::ExternWeak,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::llvm::{Passing, parse};
    use program::Source;

    #[test]
    fn unknown_attributes_are_skipped() {
        let text = "declare future(x, (y)) \"k\"=\"v\" i32 @f(ptr later(none) \"a\" align 8 \
                    dereferenceable(8), i32 range(i32 0, 5) inreg) coming soon(1) #5 \"z\"\n\
                    declare void @g() noreturn\ndeclare void @h() #7\n\
                    attributes #7 = { cold noreturn \"x\" }\n";
        let module = parse(&Source::new("x.ll", text)).unwrap();
        let no_return: Vec<_> = module.functions.iter().map(|f| f.no_return).collect();
        assert_eq!(no_return, [false, true, true]);
        assert_eq!(module.functions[0].parameters.len(), 2);
    }

    #[test]
    fn how_a_pointer_is_passed() {
        let text = "declare void @f(ptr sret({ i32, i8 }) align 4, ptr noalias byval([2 x i8]))\n";
        let module = parse(&Source::new("x.ll", text)).unwrap();
        let passing = |index: usize| module.functions[0].parameters[index].passing;
        let Passing::StructReturn(result) = passing(0) else {
            panic!();
        };
        assert_eq!(module.describe(result), "{ i32, i8 }");
        assert!(matches!(passing(1), Passing::ByValue(_)));
    }

    #[test]
    fn attributes_end_with_the_line() {
        let text = "declare void @f() nounwind\ndefine void @g() {\n  call void @f() cold\n\
                    \n  ret void\n}\n";
        let module = parse(&Source::new("x.ll", text)).unwrap();
        assert_eq!(module.functions[1].blocks[0].instructions.len(), 2);
    }
}
