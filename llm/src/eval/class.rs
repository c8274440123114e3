//! Classes of failure: the kind of mistake that makes a candidate wrong.
//!
//! One map without a default gives the class of every code, so a new code needs a new line here.

use jumar::dsl::diag::Code;
use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! classes {
    ($($class:ident $name:literal $says:literal)*) => {
        /// A kind of mistake.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum Class { $(#[doc = $says] #[serde(rename = $name)] $class),* }

        impl Class {
            /// Every class, in the order of tables.
            pub const ALL: &'static [Class] = &[$(Class::$class),*];

            /// The name in records and tables.
            pub const fn name(self) -> &'static str {
                match self { $(Class::$class => $name),* }
            }

            /// Describes the mistake in one line.
            pub const fn says(self) -> &'static str {
                match self { $(Class::$class => $says),* }
            }
        }
    };
}

classes! {
    NoText "no_text" "the reply has no text"
    Cut "cut" "the reply was cut before its end"
    NoKernel "no_kernel" "the text has no kernel of the task's name, or several"
    Syntax "syntax" "not Rust, or Rust that a kernel may not contain"
    Name "name" "a name, method or function that does not exist"
    Arguments "arguments" "wrong number or kind of arguments"
    Signature "signature" "a signature or attribute that a kernel may not have, or that is not the task's"
    Type "type" "element types that do not go together, or that an op does not take"
    Axis "axis" "axes of tiles and tensors that do not go together"
    Role "role" "an input written, an output read, a constant assigned"
    Output "output" "an output that is not written, or not everywhere"
    Bounds "bounds" "an index outside its tensor, or not proved inside"
    Capacity "capacity" "more than the memory on the chip holds"
    Alignment "alignment" "a copy or tensor that is not whole data blocks"
    Sync "sync" "queues, flags or pipes out of step"
    Order "order" "a result that depends on the order of blocks, tiles or statements"
    Chip "chip" "what the chip does not have"
    Host "host" "a size or fact that the host cannot know or does not find"
    Promise "promise" "an `assume` or other promise that does not hold"
    Run "run" "a run that stops: memory never written, a scalar that cannot be computed"
    Value "value" "a result that is not the reference's"
    Unsteady "unsteady" "two runs that give different bits"
    Readers "readers" "readers that disagree, or text of ours that C++ refuses: a mistake of jumar's"
    Machine "machine" "this machine cannot compile or run C++"
    Compile "compile" "C++ that the compiler refuses for another reason than a name, arguments, types or syntax"
    Impossible "impossible" "fewer cycles than it takes to write the outputs"
    Limit "limit" "more time or memory than a candidate may take, or the end of its process"
    Server "server" "the server gave no reply: nothing is known of the model"
    Warning "warning" "a finding that is no error"
}

impl Class {
    /// Returns the class of a code.
    pub const fn of(code: Code) -> Class {
        match code {
            Code::J0100 | Code::J0101 | Code::J0107 | Code::J0108 | Code::J0109 => Class::Syntax,
            Code::J0102 | Code::J0103 => Class::Name,
            Code::J0104 | Code::J0105 | Code::J0212 => Class::Signature,
            Code::J0106 => Class::Arguments,
            Code::J0201 | Code::J0202 | Code::J0203 | Code::J0204 | Code::J0205 | Code::J0208 => {
                Class::Type
            }
            Code::J0206 | Code::J0207 | Code::J0209 => Class::Axis,
            Code::J0210 | Code::J0219 => Class::Output,
            Code::J0211 | Code::J0213 => Class::Role,
            Code::J0214 | Code::J0218 | Code::J0220 | Code::J0505 => Class::Order,
            Code::J0215 | Code::J0216 | Code::J0217 => Class::Bounds,
            Code::J0301 | Code::J0302 | Code::J0303 | Code::J0304 | Code::J0305 | Code::J0606 => {
                Class::Capacity
            }
            Code::J0306 | Code::J0307 => Class::Alignment,
            Code::J0308 | Code::J0309 | Code::J0801 => Class::Bounds,
            Code::J0310 => Class::Arguments,
            Code::J0311 => Class::Order,
            Code::J0401
            | Code::J0402
            | Code::J0403
            | Code::J0404
            | Code::J0405
            | Code::J0406
            | Code::J0407 => Class::Sync,
            Code::J0408
            | Code::J0409
            | Code::J0410
            | Code::J0411
            | Code::J0412
            | Code::J0413
            | Code::J0414 => Class::Sync,
            Code::J0416 | Code::J0803 | Code::J0809 | Code::J0810 | Code::J0811 => Class::Sync,
            Code::J0501 | Code::J0502 | Code::J0503 | Code::J0504 => Class::Chip,
            Code::J0601 | Code::J0604 => Class::Host,
            Code::J0603 | Code::J0605 => Class::Signature,
            Code::J0802 | Code::J0804 | Code::J0807 | Code::J0808 | Code::J0812 | Code::J0815 => {
                Class::Run
            }
            Code::J0813 => Class::Promise,
            Code::J0814 => Class::Order,
            Code::J0805 | Code::J0816 | Code::J0818 => Class::Machine,
            Code::J0806 | Code::J0817 => Class::Readers,
            Code::J0415
            | Code::J0602
            | Code::J0819
            | Code::J0901
            | Code::J0902
            | Code::J0903
            | Code::J0904 => Class::Warning,
        }
    }

    /// True if the class tells something about the candidate, so that it counts as a sample of a
    /// score.
    pub const fn is_of_candidate(self) -> bool {
        !matches!(self, Class::Server | Class::Machine)
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
