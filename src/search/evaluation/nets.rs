//! The learned evaluations that come with the program, each as `kalah train` has made it;
//! `docs/strength.md` has the calls.

use std::sync::{Arc, LazyLock};

use super::network::Network;
use crate::board::Rules;

const FILES: [&[u8]; 4] = [
    include_bytes!("nets/6-standard.knn"),
    include_bytes!("nets/6-empty.knn"),
    include_bytes!("nets/8-standard.knn"),
    include_bytes!("nets/12-standard.knn"),
];

impl Network {
    /// The network that comes with the program for these rules, if there is one.
    pub fn built_in(rules: Rules) -> Option<Arc<Network>> {
        static NETS: LazyLock<Vec<Arc<Network>>> = LazyLock::new(|| {
            FILES.iter().filter_map(|bytes| Network::from_bytes(bytes).ok()).map(Arc::new).collect()
        });
        NETS.iter().find(|network| network.rules() == rules).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::super::network_file::NetworkFileError;
    use super::*;

    #[test]
    fn those_that_come_with_the_program_can_be_read() -> Result<(), NetworkFileError> {
        for bytes in FILES {
            let network = Network::from_bytes(bytes)?;
            assert_eq!(Network::built_in(network.rules()).as_deref(), Some(&network));
        }
        Ok(())
    }
}
