//! A server on this machine: it accepts connections, and answers each on a thread of its own.

use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use super::error::ServeError;
use super::guard::Guard;
use super::http::{self, Refused, Response, UNAVAILABLE};
use super::router::Site;

/// The most requests that are answered at the same time. Each page waits for news with one of them.
const MAX_AT_ONCE: usize = 64;

/// A server that only browsers on this machine can reach.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    guard: Guard,
}

impl Server {
    /// Listens at an address of this machine. Port 0 takes a free port. The server answers no request yet.
    ///
    /// # Errors
    ///
    /// If other machines could reach the address, or it is in use.
    pub fn bind(address: SocketAddr) -> Result<Server, ServeError> {
        if !address.ip().is_loopback() {
            let what = "expected an address of this machine alone, such as 127.0.0.1";
            return Err(ServeError::new(&address, what));
        }
        let listen = |cause: io::Error| {
            ServeError::new(&address, format!("cannot listen: {cause}; choose another port"))
        };
        let listener = TcpListener::bind(address).map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        Ok(Server { listener, address, guard: Guard::new(address) })
    }

    /// The address, with the port that was taken.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until `stop` is set and pending agent decisions are done.
    pub fn serve(&self, site: &Arc<Site>, stop: &AtomicBool) {
        let slots = Slots::default();
        std::thread::scope(|scope| {
            scope.spawn(|| self.wake(stop));
            for stream in self.listener.incoming() {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                // A connection that fails at once is gone.
                if let Ok(stream) = stream {
                    self.accept(stream, site, slots.take());
                }
            }
        });
        site.wait_for_agents();
    }

    /// Ends the wait for a connection once `stop` is set.
    fn wake(&self, stop: &AtomicBool) {
        while !stop.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(50));
        }
        TcpStream::connect(self.address).ok();
    }

    /// Answers a connection on a thread of its own, unless there are too many.
    fn accept(&self, mut stream: TcpStream, site: &Arc<Site>, slot: Option<Slot>) {
        let (guard, site) = (self.guard.clone(), Arc::clone(site));
        std::thread::spawn(move || match slot {
            Some(_slot) => answer(&mut stream, &guard, &site),
            None => {
                Response::error(UNAVAILABLE, "too many requests at once").send(&mut stream).ok();
            }
        });
    }
}

/// Counts the requests that are being answered.
#[derive(Default)]
struct Slots(Arc<AtomicUsize>);

/// A request's share of the limit. Dropping it, also in a panic, makes room for another request.
struct Slot(Arc<AtomicUsize>);

impl Slots {
    /// A slot for one more request. None if there are too many requests.
    fn take(&self) -> Option<Slot> {
        // If there are too many, the slot is dropped at once, which takes it off the count again.
        let slot = Slot(Arc::clone(&self.0));
        (slot.0.fetch_add(1, Ordering::Relaxed) < MAX_AT_ONCE).then_some(slot)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Reads a request and sends the response. The browser may be gone at any time.
fn answer(stream: &mut TcpStream, guard: &Guard, site: &Site) {
    let response = match http::read(stream, |head| guard.refuse(head)) {
        Ok(request) => site.answer(&request),
        Err(Refused::With(response)) => response,
        Err(Refused::Gone) => return,
    };
    response.send(stream).ok();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_free_again_after_a_panic() {
        let slots = Slots::default();
        let mut taken: Vec<Slot> = std::iter::from_fn(|| slots.take()).collect();
        assert_eq!(taken.len(), MAX_AT_ONCE);
        assert!(slots.take().is_none(), "a refused request takes no place");
        let slot = taken.pop();
        let ended = std::thread::spawn(move || {
            let _slot = slot;
            panic!("as a bug would");
        });
        assert!(ended.join().is_err());
        let again = slots.take();
        assert!(again.is_some() && slots.take().is_none());
    }
}
