//! `fencepost completions` and `fencepost man`: what is made from the table of options for shells and for `man`.

use crate::arguments::{Arguments, ManOptions};
use crate::exit::Exit;
use crate::inputs::Complaint;
use crate::run::{complain, print_bytes};
use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

/// Prints the script for a shell.
pub fn completions(shell: Shell) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "fencepost", &mut script);
    print_bytes(&script);
    Exit::Holds
}

/// Prints a page.
pub fn man(options: &ManOptions) -> Exit {
    let Some(command) = command(options.command.as_deref()) else {
        let text = "there is no such command; `fencepost --help` lists them";
        return complain(&Complaint::Plain(text.to_owned()));
    };
    let mut page = Vec::new();
    match Man::new(command).render(&mut page) {
        Ok(()) => print_bytes(&page),
        Err(error) => return complain(&Complaint::Plain(format!("no page: {error}"))),
    }
    Exit::Holds
}

/// The command whose page is asked for; its page is `fencepost-check(1)`.
fn command(name: Option<&str>) -> Option<Command> {
    let mut all = Arguments::command();
    all.build();
    let Some(name) = name else {
        return Some(all);
    };
    let mut commands = all.get_subcommands();
    commands.find(|command| command.get_name() == name).cloned()
}
