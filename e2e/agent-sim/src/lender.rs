//! A metadata service that one seed's process after the other uses: starting it takes as long as a seed.

use std::io::{self, Read as _};
use std::os::fd::AsFd as _;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use crate::bridge;

pub(crate) struct Lender {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
}

impl Lender {
    pub(crate) fn start(node: &str) -> io::Result<Self> {
        let (child, input, mut output) = bridge::spawn(node, 0)?;
        // Its first frame belongs to a history that nobody plays.
        let mut word = [0; 4];
        output.read_exact(&mut word)?;
        let mut frame = vec![0; u32::from_be_bytes(word) as usize];
        output.read_exact(&mut frame)?;
        Ok(Self { child, input, output })
    }

    /// Standard input and output for a process that borrows the service.
    pub(crate) fn lend(&self) -> io::Result<(Stdio, Stdio)> {
        let from = self.output.as_fd().try_clone_to_owned()?;
        let to = self.input.as_fd().try_clone_to_owned()?;
        Ok((from.into(), to.into()))
    }
}

impl Drop for Lender {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
