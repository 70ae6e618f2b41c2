//! Random C programs without undefined behaviour, for comparing the interpreter with
//! the natively compiled program. A seed gives the same text on every machine.
//!
//! A program has structs (bit fields, nested structs, arrays, floats mixed in), a
//! union, global variables and arrays, a table of functions with one signature, a
//! recursive function, one with variable arguments, and several functions with all
//! kinds of parameters and results. `main` calls them all and prints what they
//! return and, in the end, everything global.
//!
//! Not generated: long double, addresses as numbers, threads, libc beyond `printf` and
//! `memcpy`, `memmove` and `memset`. Programs under `tests/c/sequential` have those but
//! for the first.

use crate::expression::{Array, Place, Scope};
use crate::prelude::PRELUDE;
use crate::random::Random;
use crate::scalar::{INT, Scalar, UNSIGNED, WIDE};
use crate::statement::{Body, Signature, Type};
use std::fmt::Write;

const STRUCTS: usize = 4;
/// Functions with a signature of their own.
const FUNCTIONS: usize = 5;
/// Functions in the table.
const TABLE: usize = 4;

/// The text of the program with this number.
pub fn program(seed: u64) -> String {
    let mut program = Program {
        random: Random::new(seed),
        text: format!("// Generated from seed {seed}.\n{PRELUDE}"),
        members: Vec::new(),
        globals: Scope::default(),
        functions: Vec::new(),
        cheap: Vec::new(),
    };
    program.declare_structs();
    program.declare_globals();
    program.define_table();
    program.define_variadic();
    program.define_recursion();
    for number in 0..FUNCTIONS {
        program.define_function(number);
    }
    program.define_main();
    program.text
}

/// A member of a struct that holds a scalar, as a path from the struct.
#[derive(Clone)]
struct Member {
    path: String,
    scalar: Scalar,
    bit_field: bool,
}

struct Program {
    random: Random,
    text: String,
    /// Of each struct.
    members: Vec<Vec<Member>>,
    globals: Scope,
    functions: Vec<Signature>,
    /// What may be called in loops.
    cheap: Vec<Signature>,
}

impl Program {
    fn line(&mut self, text: impl AsRef<str>) {
        self.text.push_str(text.as_ref());
        self.text.push('\n');
    }

    fn declare_structs(&mut self) {
        for number in 0..STRUCTS {
            self.line(format!("struct s{number} {{"));
            let mut members = Vec::new();
            // The first is small, so that it is passed in registers.
            let count = match number {
                0 => 1,
                1 => 2,
                _ => self.random.between(2, 6),
            };
            for index in 0..count {
                self.declare_member(number, &format!("m{index}"), &mut members);
            }
            self.line("};");
            self.line(format!(
                "static void print_s{number}(struct s{number} s) {{"
            ));
            for member in &members {
                let print = member.scalar.print(&format!("s{}", member.path));
                self.line(format!("    {print}"));
            }
            self.line("}");
            self.members.push(members);
        }
    }

    fn declare_member(&mut self, number: usize, name: &str, members: &mut Vec<Member>) {
        let member = |path: String, scalar, bit_field| Member {
            path,
            scalar,
            bit_field,
        };
        match self.random.below(10) {
            0..=2 if number > 0 => {
                let signed = self.random.chance(40);
                let width = self.random.between(1 + usize::from(signed), 31);
                let scalar = if signed { INT } else { UNSIGNED };
                self.line(format!("    {} {name} : {width};", scalar.name()));
                members.push(member(format!(".{name}"), scalar, true));
            }
            3 if number > 1 => {
                let inner = self.random.below(2);
                self.line(format!("    struct s{inner} {name};"));
                for part in self.members[inner].clone() {
                    let path = format!(".{name}{}", part.path);
                    members.push(member(path, part.scalar, part.bit_field));
                }
            }
            4 => {
                let scalar = self.random.pick(&[Scalar::Float, UNSIGNED, INT]);
                let length = self.random.between(1, 3);
                self.line(format!("    {} {name}[{length}];", scalar.name()));
                for index in 0..length {
                    members.push(member(format!(".{name}[{index}]"), scalar, false));
                }
            }
            _ => {
                let scalar = Scalar::any(&mut self.random);
                self.line(format!("    {} {name};", scalar.name()));
                members.push(member(format!(".{name}"), scalar, false));
            }
        }
    }

    fn places_of_struct(&self, name: &str, number: usize) -> Vec<Place> {
        let place = |member: &Member| Place {
            text: format!("{name}{}", member.path),
            scalar: member.scalar,
            has_address: !member.bit_field,
            writable: true,
            punned: false,
        };
        self.members[number].iter().map(place).collect()
    }

    fn declare_globals(&mut self) {
        self.line("union pun { uint64_t word; double real; float half[2]; uint8_t bytes[8]; int16_t shorts[4]; };");
        self.line("static union pun gu;");
        let int16 = Scalar::Integer {
            bits: 16,
            signed: true,
        };
        let uint8 = Scalar::Integer {
            bits: 8,
            signed: false,
        };
        let parts = [
            ("word", WIDE),
            ("real", Scalar::Double),
            ("half[1]", Scalar::Float),
            ("bytes[6]", uint8),
            ("shorts[2]", int16),
        ];
        for (part, scalar) in parts {
            self.globals.places.push(Place {
                text: format!("gu.{part}"),
                scalar,
                has_address: false,
                writable: true,
                punned: true,
            });
        }
        for index in 0..8 {
            let scalar = match index {
                // Pointers find a target of these types.
                0 => INT,
                1 => Scalar::Double,
                _ => Scalar::any(&mut self.random),
            };
            let (name, value) = (format!("g{index}"), scalar.constant(&mut self.random));
            self.line(format!("static {} {name} = {value};", scalar.name()));
            self.globals.places.push(variable(&name, scalar));
        }
        for index in 0..3 {
            let scalar = if index == 0 {
                INT
            } else {
                Scalar::any(&mut self.random)
            };
            let (name, length) = (format!("ga{index}"), self.random.pick(&[4, 8, 16]));
            let values: Vec<_> = (0..length / 2)
                .map(|_| scalar.constant(&mut self.random))
                .collect();
            let (element, values) = (scalar.name(), values.join(", "));
            self.line(format!("static {element} {name}[{length}] = {{{values}}};"));
            self.globals.arrays.push(Array {
                text: name,
                scalar,
                length,
            });
        }
        for number in 0..STRUCTS {
            let name = format!("gs{number}");
            self.line(format!("static struct s{number} {name};"));
            let places = self.places_of_struct(&name, number);
            self.globals.places.extend(places);
            self.globals.structs.push((name, number));
        }
    }

    /// Adds a function; its parameters are `p0`, `p1` and so on.
    fn define(&mut self, signature: &Signature, statements: usize, depth: usize) {
        let mut scope = self.globals.clone();
        let mut parameters = Vec::new();
        for (index, parameter) in signature.parameters.iter().enumerate() {
            let name = format!("p{index}");
            parameters.push(parameter.declare(&name));
            self.add_variable(&mut scope, &name, *parameter);
        }
        let head = signature.result.declare(&signature.name);
        let parameters = match parameters.is_empty() {
            true => "void".to_owned(),
            false => parameters.join(", "),
        };
        self.line(format!("static {head}({parameters}) {{"));
        self.declare_locals(&mut scope, signature.result);
        let callees = &self.functions;
        let mut body = Body::new(&mut self.random, &scope, callees, &self.cheap);
        body.statements(statements, depth);
        let result = match signature.result {
            Type::Scalar(scalar) => body.value(scalar, 3),
            Type::Struct(_) => "result".to_owned(),
            Type::Pointer(scalar) => body.address(scalar).expect("there is one of this type"),
        };
        let lines = std::mem::take(&mut body.lines).join("\n");
        self.line(lines);
        self.line(format!("    return {result};\n}}"));
    }

    fn add_variable(&mut self, scope: &mut Scope, name: &str, variable_type: Type) {
        match variable_type {
            Type::Scalar(scalar) => scope.places.push(variable(name, scalar)),
            Type::Struct(number) => {
                scope.places.extend(self.places_of_struct(name, number));
                scope.structs.push((name.to_owned(), number));
            }
            Type::Pointer(scalar) => {
                scope.places.push(variable(&format!("(*{name})"), scalar));
                scope.pointers.push((name.to_owned(), scalar));
            }
        }
    }

    fn declare_locals(&mut self, scope: &mut Scope, result: Type) {
        for index in 0..self.random.between(2, 4) {
            let scalar = Scalar::any(&mut self.random);
            let (name, value) = (format!("v{index}"), scalar.constant(&mut self.random));
            let volatile = self.random.pick(&["", "", "", "volatile "]);
            self.line(format!("    {volatile}{} {name} = {value};", scalar.name()));
            // A volatile object is reached by its own name only.
            scope.places.push(Place {
                has_address: volatile.is_empty(),
                ..variable(&name, scalar)
            });
        }
        if self.random.chance(60) {
            let scalar = Scalar::any(&mut self.random);
            let storage = self.random.pick(&["", "static "]);
            self.line(format!("    {storage}{} a[8] = {{0}};", scalar.name()));
            scope.arrays.push(Array {
                text: "a".to_owned(),
                scalar,
                length: 8,
            });
        }
        if self.random.chance(50) {
            self.line("    int32_t *q = &g0;");
            self.add_variable(scope, "q", Type::Pointer(INT));
        }
        if let Type::Struct(number) = result {
            self.line(format!("    struct s{number} result = gs{number};"));
            self.add_variable(scope, "result", result);
        }
    }

    fn any_type(&mut self) -> Type {
        match self.random.below(10) {
            0..=2 => Type::Struct(self.random.below(STRUCTS)),
            3 => Type::Pointer(self.random.pick(&[INT, Scalar::Double])),
            _ => Type::Scalar(Scalar::any(&mut self.random)),
        }
    }

    /// Functions that are called through a table.
    fn define_table(&mut self) {
        let parameters: Vec<_> = (0..self.random.between(1, 4))
            .map(|_| self.any_type())
            .collect();
        let result = self.any_type();
        let mut signature = Signature {
            name: String::new(),
            parameters,
            result,
        };
        // Nothing may be called from here yet but a function that does nothing much.
        self.line("static int32_t start(void) { return g0; }");
        self.cheap.push(Signature {
            name: "start".to_owned(),
            parameters: Vec::new(),
            result: Type::Scalar(INT),
        });
        for index in 0..TABLE {
            signature.name = format!("t{index}");
            self.define(&signature, 2, 0);
        }
        let types = signature.parameters.iter();
        let types: Vec<_> = types.map(|parameter| parameter.declare("")).collect();
        let pointer = signature.result.declare("(*table[4])");
        let names: Vec<_> = (0..TABLE).map(|index| format!("t{index}")).collect();
        let (types, names) = (types.join(", "), names.join(", "));
        self.line(format!("static {pointer}({types}) = {{{names}}};"));
        for index in ["0", "g0 & 3", "ga0[1] & 3"] {
            signature.name = format!("table[{index}]");
            self.cheap.push(signature.clone());
        }
    }

    /// A function that adds up arguments of the kinds that a text tells, with one
    /// macro for each list of kinds.
    fn define_variadic(&mut self) {
        let number = self.random.below(STRUCTS);
        self.line("static uint64_t total(const char *kinds, ...) {");
        self.line("    va_list list;\n    va_start(list, kinds);\n    uint64_t sum = 0;");
        self.line("    for (; *kinds; kinds++) {\n        sum *= 31;\n        switch (*kinds) {");
        let kinds = [
            ('i', "int", INT),
            ('u', "unsigned", UNSIGNED),
            ('l', "uint64_t", WIDE),
            ('d', "double", Scalar::Double),
            ('f', "double", Scalar::Float),
        ];
        for (letter, promoted, scalar) in kinds {
            let promoted_scalar = match scalar.is_floating() {
                true => Scalar::Double,
                false => scalar,
            };
            let value = promoted_scalar.convert(&format!("va_arg(list, {promoted})"), WIDE);
            self.line(format!("        case '{letter}': sum += {value}; break;"));
        }
        let argument = format!("va_arg(list, struct s{number})");
        self.line(format!(
            "        case 's': print_s{number}({argument}); break;"
        ));
        self.line("        }\n    }\n    va_end(list);\n    return sum;\n}");
        for index in 0..3 {
            let (mut letters, mut parameters) = (String::new(), Vec::new());
            for _ in 0..self.random.between(1, 12) {
                if self.random.chance(15) {
                    letters.push('s');
                    parameters.push(Type::Struct(number));
                } else {
                    let (letter, _, scalar) = self.random.pick(&kinds);
                    letters.push(letter);
                    parameters.push(Type::Scalar(scalar));
                }
            }
            self.line(format!(
                "#define total{index}(...) total(\"{letters}\", __VA_ARGS__)"
            ));
            self.cheap.push(Signature {
                name: format!("total{index}"),
                parameters,
                result: Type::Scalar(WIDE),
            });
        }
    }

    fn define_recursion(&mut self) {
        let (carried, number) = (Scalar::any(&mut self.random), self.random.below(STRUCTS));
        let scope = Scope {
            places: [
                vec![variable("x", carried)],
                self.places_of_struct("s", number),
            ]
            .concat(),
            ..self.globals.clone()
        };
        let mut body = Body::new(&mut self.random, &scope, &[], &self.cheap);
        let (base, first) = (body.value(carried, 3), body.value(carried, 3));
        let second = body.value(carried, 2);
        body.statements(1, 0);
        let lines = body.lines.join("\n");
        let name = carried.name();
        self.line(format!(
            "static {name} descend(unsigned depth, {name} x, struct s{number} s) {{"
        ));
        self.line(format!("    if (depth == 0)\n        return {base};"));
        self.line(lines);
        self.line(format!("    {name} y = descend(depth - 1, {first}, s);"));
        self.line(format!(
            "    if (depth & 1)\n        x = descend(depth / 2, {second}, gs{number});"
        ));
        let sum = match carried.is_floating() || carried == Scalar::Bool {
            true => "x > y ? x : y".to_owned(),
            false => format!("({name})(({0})x + ({0})y)", carried.wrapping().name()),
        };
        self.line(format!("    return {sum};\n}}"));
        for depth in [3, 5] {
            self.line(format!(
                "#define descend{depth}(...) descend({depth}, __VA_ARGS__)"
            ));
            self.functions.push(Signature {
                name: format!("descend{depth}"),
                parameters: vec![Type::Scalar(carried), Type::Struct(number)],
                result: Type::Scalar(carried),
            });
        }
    }

    fn define_function(&mut self, number: usize) {
        let parameters: Vec<_> = (0..self.random.between(0, 7))
            .map(|_| self.any_type())
            .collect();
        let signature = Signature {
            name: format!("f{number}"),
            parameters,
            result: self.any_type(),
        };
        let count = self.random.between(4, 8);
        // At most the two latest may be called, which keeps the number of calls small.
        let earlier = self.functions.len().saturating_sub(2);
        let all = self.functions.clone();
        self.functions.drain(..earlier);
        self.define(&signature, count, 3);
        self.functions = all;
        self.functions.push(signature);
    }

    fn define_main(&mut self) {
        self.line("int main(void) {");
        let scope = self.globals.clone();
        for round in 0..2 {
            for index in 0..self.functions.len() {
                let signature = self.functions[index].clone();
                let mut body = Body::new(&mut self.random, &scope, &[], &self.cheap);
                body.statements(2, 0);
                let arguments = body.arguments(&signature.parameters);
                let arguments = arguments.expect("pointers have targets");
                let lines = body.lines.join("\n");
                self.line(lines);
                let call = format!("{}({arguments})", signature.name);
                let print = match signature.result {
                    Type::Scalar(scalar) => {
                        format!("{{ {} r = {call}; {} }}", scalar.name(), scalar.print("r"))
                    }
                    Type::Struct(number) => format!("print_s{number}({call});"),
                    Type::Pointer(scalar) => scalar.print(&format!("*{call}")),
                };
                self.line(format!("    printf(\"{}.{round}: \");", signature.name));
                self.line(format!("    {print}\n    putchar('\\n');"));
            }
        }
        self.print_globals();
        self.line("    return 0;\n}");
    }

    fn print_globals(&mut self) {
        let mut lines = String::new();
        for place in self.globals.places.iter().filter(|place| !place.punned) {
            let (text, print) = (&place.text, place.scalar.print(&place.text));
            writeln!(
                lines,
                "    printf(\"{text} \");\n    {print}\n    putchar('\\n');"
            )
            .expect("a string");
        }
        for array in &self.globals.arrays {
            let print = array.scalar.print(&format!("{}[i]", array.text));
            writeln!(
                lines,
                "    for (int i = 0; i < {}; i++)\n        {print}\n    putchar('\\n');",
                array.length
            )
            .expect("a string");
        }
        self.text.push_str(&lines);
    }
}

fn variable(name: &str, scalar: Scalar) -> Place {
    Place {
        text: name.to_owned(),
        scalar,
        has_address: true,
        writable: true,
        punned: false,
    }
}
