//! How much of something each client may have at the same time.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex};

use kalah::lock::lock;

/// Slots, of which each client may take only so many at the same time.
#[derive(Debug)]
pub struct ClientSlots {
    each: usize,
    taken: Mutex<HashMap<IpAddr, usize>>,
}

/// A slot that a client has, as long as this lives.
#[derive(Debug)]
pub struct ClientSlot {
    slots: Arc<ClientSlots>,
    client: IpAddr,
}

impl ClientSlots {
    /// Slots, so many for each client.
    pub fn new(each: usize) -> Arc<ClientSlots> {
        Arc::new(ClientSlots { each, taken: Mutex::default() })
    }

    /// A slot for a client; `None` if it has all of its own.
    pub fn enter(self: &Arc<ClientSlots>, client: IpAddr) -> Option<ClientSlot> {
        let mut taken = lock(&self.taken);
        let of_client = taken.entry(client).or_default();
        if *of_client >= self.each {
            return None;
        }
        *of_client += 1;
        Some(ClientSlot { slots: Arc::clone(self), client })
    }
}

impl Drop for ClientSlot {
    fn drop(&mut self) {
        let mut taken = lock(&self.slots.taken);
        if let Some(of_client) = taken.get_mut(&self.client) {
            *of_client -= 1;
            if *of_client == 0 {
                taken.remove(&self.client);
            }
        }
    }
}

/// What stands for a client: its address or, as networks of IPv6 have a great many for each machine, the first half of it.
pub fn client_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => Ipv6Addr::from_bits(v6.to_bits() & (u128::MAX << 64)).into(),
        v4 @ IpAddr::V4(_) => v4,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test fails by panicking
mod tests {
    use super::*;

    #[test]
    fn each_client_has_slots_of_its_own() {
        let client = |text: &str| client_of(text.parse().unwrap());
        let slots = ClientSlots::new(2);
        let one = client("2001:db8::1");
        let first = slots.enter(one).unwrap();
        let _second = slots.enter(client("2001:db8::2:3")).unwrap();
        assert!(slots.enter(one).is_none(), "one network");
        let _other = slots.enter(client("2001:db8:0:1::1")).unwrap();
        let _mapped = [slots.enter(client("::ffff:192.0.2.1")), slots.enter(client("192.0.2.1"))]
            .map(Option::unwrap);
        assert!(slots.enter(client("192.0.2.1")).is_none(), "one machine");
        drop(first);
        assert!(slots.enter(one).is_some());
        assert_eq!(lock(&slots.taken).len(), 3);
    }
}
