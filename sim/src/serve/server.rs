//! A server on this machine: it accepts connections, and answers each on a thread of its own.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use super::error::ServeError;
use super::guard::Guard;
use super::http::{self, Refused, Response};
use super::site::Site;

/// The most requests at once. Each page waits for news with one of them.
const MOST_AT_ONCE: usize = 64;

/// A server of a [`Site`] that only browsers on this machine can reach.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    guard: Guard,
    site: Arc<Site>,
}

impl Server {
    /// Listens at an address of this machine. Port 0 takes a free port.
    ///
    /// # Errors
    ///
    /// If other machines could reach the address, or it is in use.
    pub fn bind(address: SocketAddr, site: Site) -> Result<Server, ServeError> {
        if !address.ip().is_loopback() {
            return Err(ServeError::NotLoopback(address));
        }
        let listen = |cause| ServeError::Listen { address, cause };
        let listener = TcpListener::bind(address).map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        Ok(Server { listener, address, guard: Guard::new(address), site: Arc::new(site) })
    }

    /// The address, with the port that was taken.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// What it offers.
    #[must_use]
    pub fn site(&self) -> &Site {
        &self.site
    }

    /// Answers requests until `stop` is set, and agents have made the decisions that they think about.
    pub fn serve(&self, stop: &AtomicBool) {
        let active = Arc::new(AtomicUsize::new(0));
        std::thread::scope(|scope| {
            scope.spawn(|| self.wake(stop));
            for stream in self.listener.incoming() {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                // A connection that fails at once is gone.
                if let Ok(stream) = stream {
                    self.accept(stream, &active);
                }
            }
        });
        self.site.rest();
    }

    /// Ends the wait for a connection once `stop` is set.
    fn wake(&self, stop: &AtomicBool) {
        while !stop.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(50));
        }
        TcpStream::connect(self.address).ok();
    }

    /// Answers a connection on a thread of its own, unless there are too many.
    fn accept(&self, mut stream: TcpStream, active: &Arc<AtomicUsize>) {
        let (guard, site, active) = (self.guard.clone(), Arc::clone(&self.site), Arc::clone(active));
        let is_full = active.fetch_add(1, Ordering::Relaxed) >= MOST_AT_ONCE;
        std::thread::spawn(move || {
            if is_full {
                Response::busy().send(&mut stream).ok();
            } else {
                answer(&mut stream, &guard, &site);
            }
            active.fetch_sub(1, Ordering::Relaxed);
        });
    }
}

/// Reads a request and sends the response. The browser may be gone at any time.
fn answer(stream: &mut TcpStream, guard: &Guard, site: &Site) {
    let response = match http::read(stream) {
        Ok(request) => guard.refuse(&request).unwrap_or_else(|| site.answer(&request)),
        Err(Refused::With(response)) => response,
        Err(Refused::Gone) => return,
    };
    response.send(stream).ok();
}
