//! Which requests are answered: those that a page of this server makes in a browser on this machine.

use std::net::SocketAddr;

use super::http::{Method, Request, Response};

/// The names under which browsers reach the server.
#[derive(Clone, Debug)]
pub(super) struct Guard {
    hosts: Vec<String>,
}

impl Guard {
    /// A guard of a server at this address.
    pub(super) fn new(address: SocketAddr) -> Guard {
        let port = address.port();
        Guard { hosts: vec![address.to_string(), format!("localhost:{port}")] }
    }

    /// The response to a request that is refused.
    ///
    /// The `Host` must be the server itself: another name would be that of a page elsewhere which its
    /// owner makes point to this machine (DNS rebinding). A request that changes something must come
    /// from a page of this server, so its `Origin` must be stated.
    pub(super) fn refuse(&self, request: &Request) -> Option<Response> {
        let host = request.header("host");
        if !host.is_some_and(|host| self.is_own(host)) {
            return Some(Response::forbidden("the request names another host"));
        }
        let origin = request.header("origin");
        let is_own = origin.and_then(|origin| origin.strip_prefix("http://")) == host;
        if request.method == Method::Post && !is_own {
            return Some(Response::forbidden("the request comes from another page"));
        }
        None
    }

    fn is_own(&self, host: &str) -> bool {
        self.hosts.iter().any(|own| own.eq_ignore_ascii_case(host))
    }
}
