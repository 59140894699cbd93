//! Limits connections whose clients have proved nothing yet: in a TLS handshake, or still to sign in. They have places
//! of their own, so that slow or hostile ones take none from clients.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use penstock_runtime::Instant;
use tokio::sync::oneshot;

/// Time in which a client on a slow network can sign in. When all places are taken, a new connection replaces one that
/// is older than this.
const FAIR_TIME: Duration = Duration::from_secs(2);

/// The places for unproven connections.
#[derive(Debug)]
pub(super) struct UnprovenConnections {
    places: usize,
    taken: Mutex<Taken>,
}

#[derive(Debug, Default)]
struct Taken {
    next_id: u64,
    /// The holders by id, oldest first.
    by_id: BTreeMap<u64, Holder>,
}

#[derive(Debug)]
struct Holder {
    since: Instant,
    _crowd_out: oneshot::Sender<()>,
}

/// A place, released when it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    id: u64,
    crowded_out: oneshot::Receiver<()>,
    all: Arc<UnprovenConnections>,
}

impl UnprovenConnections {
    pub(super) fn new(places: usize) -> Arc<Self> {
        Arc::new(Self {
            places,
            taken: Mutex::default(),
        })
    }

    /// Takes a place. Returns `None` if all are taken by connections that are also new.
    pub(super) fn enter(self: &Arc<Self>, now: Instant) -> Option<Place> {
        let mut taken = self.taken.lock();
        if taken.by_id.len() >= self.places {
            let oldest = taken.by_id.first_entry()?;
            if now.duration_since(oldest.get().since) < FAIR_TIME {
                return None;
            }
            oldest.remove();
        }
        let id = taken.next_id;
        taken.next_id += 1;
        let (crowd_out, crowded_out) = oneshot::channel();
        let holder = Holder {
            since: now,
            _crowd_out: crowd_out,
        };
        taken.by_id.insert(id, holder);
        Some(Place {
            id,
            crowded_out,
            all: Arc::clone(self),
        })
    }
}

impl Place {
    /// Waits until a newer connection has taken this place.
    pub(super) async fn crowded_out(&mut self) {
        // Nothing is ever sent; the other end is dropped.
        let _ = (&mut self.crowded_out).await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.all.taken.lock();
        taken.by_id.remove(&self.id);
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot::error::TryRecvError;

    use super::*;

    #[tokio::test]
    async fn a_new_connection_replaces_one_past_its_time() {
        let places = UnprovenConnections::new(2);
        let now = Instant::now();
        let mut slow = places.enter(now).unwrap();
        let mut second = places.enter(now + Duration::from_millis(1)).unwrap();
        assert!(places.enter(now + Duration::from_secs(1)).is_none(), "both are new");
        let third = places.enter(now + FAIR_TIME).unwrap();
        slow.crowded_out().await;
        assert!(
            second
                .crowded_out
                .try_recv()
                .is_err_and(|error| error == TryRecvError::Empty)
        );
        drop((slow, third));
        let _fourth = places.enter(now + FAIR_TIME).unwrap();
        assert!(
            places.enter(now + FAIR_TIME).is_none(),
            "the first place was given back once"
        );
    }

    #[test]
    fn releases_places_when_connections_end() {
        let places = UnprovenConnections::new(1);
        for _ in 0..3 {
            drop(places.enter(Instant::now()).unwrap());
        }
        assert!(places.taken.lock().by_id.is_empty());
    }
}
