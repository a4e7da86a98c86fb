//! Refuses requests under another host name, and those that pages of other sites make, except links.

use std::net::SocketAddr;

use super::http::{FORBIDDEN, Method, Request, Response};

/// The port of a URL that states none.
const HTTP: u16 = 80;

/// The names under which browsers reach the server.
#[derive(Clone, Debug)]
pub(super) struct Guard {
    hosts: Vec<String>,
}

impl Guard {
    /// A guard of a server at this address.
    pub(super) fn new(address: SocketAddr) -> Guard {
        let port = address.port();
        let mut hosts = vec![address.to_string(), format!("localhost:{port}")];
        if port == HTTP {
            // Browsers leave this port out.
            let without = |host: &String| host.trim_end_matches(":80").to_owned();
            hosts.extend(hosts.iter().map(without).collect::<Vec<_>>());
        }
        Guard { hosts }
    }

    /// The response to a request that is refused.
    ///
    /// The `Host` must be the server itself: the owner of a page elsewhere can make another name point
    /// to this machine (DNS rebinding). An `Origin` must be a page of this server. A request that
    /// changes something must state its `Origin`. Browsers that state none use `Sec-Fetch-Site` to mark
    /// requests of other pages, which may only be links.
    pub(super) fn refuse(&self, request: &Request) -> Option<Response> {
        let host = request.header("host");
        if !host.is_some_and(|host| self.is_own(host)) {
            return Some(Response::error(FORBIDDEN, "the request names another host"));
        }
        let origin = request.header("origin");
        let is_own = origin.and_then(|origin| origin.strip_prefix("http://")) == host;
        let must_be_own = request.method == Method::Post || request.has_header("origin");
        if (must_be_own && !is_own) || is_fetched_elsewhere(request) {
            return Some(Response::error(FORBIDDEN, "the request comes from another page"));
        }
        None
    }

    fn is_own(&self, host: &str) -> bool {
        self.hosts.iter().any(|own| own.eq_ignore_ascii_case(host))
    }
}

/// Whether a page elsewhere makes the request, other than by a link to this server.
///
/// Pages of another port have the site of this server, so `same-site` is elsewhere, too.
fn is_fetched_elsewhere(request: &Request) -> bool {
    let is = |name, expected| request.header(name).is_some_and(|found| found == expected);
    let is_elsewhere = request.has_header("sec-fetch-site")
        && !is("sec-fetch-site", "same-origin")
        && !is("sec-fetch-site", "none");
    is_elsewhere && !(is("sec-fetch-mode", "navigate") && is("sec-fetch-dest", "document"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_port_may_be_left_out() {
        let is_own =
            |address: &str, host: &str| Guard::new(address.parse().expect("an address")).is_own(host);
        for host in ["127.0.0.1", "127.0.0.1:80", "localhost", "LOCALHOST:80"] {
            assert!(is_own("127.0.0.1:80", host), "{host}");
        }
        assert!(is_own("[::1]:80", "[::1]") && !is_own("127.0.0.1:80", "127.0.0.1:8080"));
        assert!(!is_own("127.0.0.1:8080", "127.0.0.1") && !is_own("127.0.0.1:8080", "localhost"));
    }
}
