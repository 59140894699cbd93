//! Schedules password checks. A check takes a core for up to a second, depending on the user's iterations, and anyone
//! who can reach the port can request one. Each user therefore has one place per network, failures there delay the next
//! check, and users who have never signed in from a network take turns: guessing at one user does not delay others.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use tokio::sync::{Mutex as Turns, OwnedMutexGuard, OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep_until};

/// Delay after the second failure. The first causes none, and each later one doubles it.
const FIRST_WAIT: Duration = Duration::from_millis(100);
const MAX_WAIT: Duration = Duration::from_secs(5);
const MAX_DOUBLINGS: u32 = 6;
/// How long after the last one failures can be forgotten, if their place is needed.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(600);
/// Maximum number of unproven names per network. More share a place, so that trying many names resets no count.
const MAX_UNPROVEN_NAMES: usize = 64;
/// Longer names share that place, too.
const MAX_NAME_BYTES: usize = 256;
const MAX_NETWORKS: usize = 1024;

/// A /24 network in IPv4 or a /64 in IPv6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Network([u8; 8]);

impl Network {
    fn of(host: IpAddr) -> Self {
        let mut prefix = [0; 8];
        match host.to_canonical() {
            IpAddr::V4(host) => prefix[..3].copy_from_slice(&host.octets()[..3]),
            IpAddr::V6(host) => prefix.copy_from_slice(&host.octets()[..8]),
        }
        Self(prefix)
    }
}

/// Failed checks of one user from one network.
#[derive(Debug, Default)]
struct Failures {
    count: u32,
    last_at: Option<Instant>,
}

impl Failures {
    fn next_check_at(&self) -> Option<Instant> {
        let doublings = self.count.checked_sub(2)?.min(MAX_DOUBLINGS);
        let wait = (FIRST_WAIT * (1 << doublings)).min(MAX_WAIT);
        self.last_at.map(|at| at + wait)
    }

    fn are_forgotten(&self) -> bool {
        self.last_at.is_none_or(|at| at.elapsed() >= FORGOTTEN_AFTER)
    }
}

type UserTurns = Arc<Turns<Failures>>;

#[derive(Debug)]
struct NetworkPlaces {
    /// Users who have signed in from this network.
    proven: HashMap<String, UserTurns>,
    unproven: HashMap<String, UserTurns>,
    /// Shared by the names beyond [`MAX_UNPROVEN_NAMES`].
    others: UserTurns,
    /// Shared by all names that have not signed in.
    unproven_turn: Arc<Turns<()>>,
    last_used: Instant,
}

impl NetworkPlaces {
    fn new() -> Self {
        Self {
            proven: HashMap::new(),
            unproven: HashMap::new(),
            others: UserTurns::default(),
            unproven_turn: Arc::default(),
            last_used: Instant::now(),
        }
    }

    fn unproven_turns(&mut self, user: &str) -> UserTurns {
        if let Some(turns) = self.unproven.get(user) {
            return Arc::clone(turns);
        }
        if self.unproven.len() >= MAX_UNPROVEN_NAMES {
            // An entry in use is locked, or about to be.
            self.unproven.retain(|_, turns| {
                Arc::strong_count(turns) > 1 || !turns.try_lock().is_ok_and(|failures| failures.are_forgotten())
            });
        }
        if self.unproven.len() >= MAX_UNPROVEN_NAMES || user.len() > MAX_NAME_BYTES {
            return Arc::clone(&self.others);
        }
        Arc::clone(self.unproven.entry(user.to_owned()).or_default())
    }
}

/// The places of all networks.
#[derive(Debug, Default)]
struct Networks(Mutex<HashMap<Network, NetworkPlaces>>);

impl Networks {
    fn lock(&self) -> MutexGuard<'_, HashMap<Network, NetworkPlaces>> {
        self.0.lock()
    }

    /// Returns the user's place, and a second turn to wait for if the user has never signed in from this network.
    fn turns_of(&self, user: &str, network: Network) -> (UserTurns, Option<Arc<Turns<()>>>) {
        let mut networks = self.lock();
        if networks.len() >= MAX_NETWORKS && !networks.contains_key(&network) {
            // Networks where nobody has signed in are evicted first, so that a flood from many addresses displaces no
            // real client.
            let least = networks
                .iter()
                .min_by_key(|(_, places)| (!places.proven.is_empty(), places.last_used));
            if let Some(least) = least.map(|(network, _)| *network) {
                networks.remove(&least);
            }
        }
        let places = networks.entry(network).or_insert_with(NetworkPlaces::new);
        places.last_used = Instant::now();
        match places.proven.get(user) {
            Some(turns) => (Arc::clone(turns), None),
            None => (places.unproven_turns(user), Some(Arc::clone(&places.unproven_turn))),
        }
    }

    /// Gives the user a place that unproven users cannot block.
    fn prove(&self, user: &str, network: Network) {
        let mut networks = self.lock();
        let places = networks.entry(network).or_insert_with(NetworkPlaces::new);
        let turns = places.unproven.remove(user).unwrap_or_default();
        places.proven.entry(user.to_owned()).or_insert(turns);
    }
}

/// All places of an agent.
#[derive(Debug)]
pub(crate) struct PasswordPlaces {
    networks: Arc<Networks>,
    /// Limits concurrent checks of users who have not signed in from their network, separately from all others. Neither
    /// kind takes all cores from signed-in clients.
    unproven_checks: Arc<Semaphore>,
    proven_checks: Arc<Semaphore>,
}

/// A place for one check. Dropping it without a result counts neither as success nor as failure.
#[derive(Debug)]
pub(crate) struct Place {
    user: String,
    network: Network,
    networks: Arc<Networks>,
    failures: OwnedMutexGuard<Failures>,
    _turn: Option<OwnedMutexGuard<()>>,
    _check: Option<OwnedSemaphorePermit>,
}

impl PasswordPlaces {
    /// `checks`: the maximum number of concurrent checks of each kind.
    pub(crate) fn new(checks: usize) -> Self {
        Self {
            networks: Arc::default(),
            unproven_checks: Arc::new(Semaphore::new(checks)),
            proven_checks: Arc::new(Semaphore::new(checks)),
        }
    }

    /// Waits for the user's turn.
    pub(crate) async fn enter(&self, user: &str, host: IpAddr) -> Place {
        let network = Network::of(host);
        let (turns, unproven_turn) = self.networks.turns_of(user, network);
        let failures = turns.lock_owned().await;
        if let Some(at) = failures.next_check_at() {
            // Waits before taking the turn that others wait for.
            sleep_until(at).await;
        }
        let (checks, turn) = match unproven_turn {
            Some(turn) => (&self.unproven_checks, Some(turn.lock_owned().await)),
            None => (&self.proven_checks, None),
        };
        Place {
            user: user.to_owned(),
            network,
            networks: Arc::clone(&self.networks),
            failures,
            _turn: turn,
            // The semaphores are never closed.
            _check: Arc::clone(checks).acquire_owned().await.ok(),
        }
    }
}

impl Place {
    /// Records that the password was right.
    pub(crate) fn succeeded(mut self) {
        self.networks.prove(&self.user, self.network);
        *self.failures = Failures::default();
    }

    /// Records that the user does not exist or the password was wrong.
    pub(crate) fn failed(mut self) {
        self.failures.count = self.failures.count.saturating_add(1);
        self.failures.last_at = Some(Instant::now());
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 1));
    const THERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 1, 1));

    /// Returns the place if it is available immediately.
    fn now(entering: impl Future<Output = Place>) -> Option<Place> {
        match pin!(entering).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(place) => Some(place),
            Poll::Pending => None,
        }
    }

    #[tokio::test(start_paused = true)]
    async fn guessing_at_a_user_delays_nobody_on_other_networks() {
        let places = PasswordPlaces::new(2);
        let guess = places.enter("heavy", HERE).await;
        assert!(now(places.enter("heavy", HERE)).is_none(), "one guess at a time");
        assert!(
            now(places.enter("other", HERE)).is_none(),
            "unproven users of a network take turns"
        );
        assert!(now(places.enter("heavy", THERE)).is_some());
        drop(guess);
        assert!(now(places.enter("other", HERE)).is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn a_queue_of_guesses_delays_another_user_by_one_check() {
        const CHECK: Duration = Duration::from_millis(500);
        let places = Arc::new(PasswordPlaces::new(1));
        for _ in 0..64 {
            let places = Arc::clone(&places);
            tokio::spawn(async move {
                let place = places.enter("heavy", HERE).await;
                tokio::time::sleep(CHECK).await;
                place.failed();
            });
        }
        tokio::task::yield_now().await;
        let start = Instant::now();
        let _place = places.enter("other", HERE).await;
        assert!(start.elapsed() <= CHECK, "{:?}", start.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn a_proven_user_waits_for_no_guess_at_others() {
        let places = PasswordPlaces::new(1);
        places.enter("admin", HERE).await.succeeded();
        let _guess = places.enter("heavy", HERE).await;
        assert!(now(places.enter("admin", HERE)).is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn failures_double_the_delay_until_a_success() {
        let places = PasswordPlaces::new(1);
        let mut waits = Vec::new();
        for _ in 0..12 {
            let start = Instant::now();
            places.enter("a", HERE).await.failed();
            waits.push(start.elapsed().as_millis());
        }
        assert_eq!(waits[..5], [0, 0, 100, 200, 400]);
        assert_eq!(waits[11], MAX_WAIT.as_millis());
        places.enter("a", HERE).await.succeeded();
        assert!(now(places.enter("a", HERE)).is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn trying_many_names_resets_no_failure_count() {
        let places = PasswordPlaces::new(1);
        for _ in 0..2 {
            places.enter("a", HERE).await.failed();
        }
        for number in 0..MAX_UNPROVEN_NAMES + 10 {
            drop(places.enter(&format!("user-{number}"), HERE).await);
            places.enter(&format!("guess-{number}"), HERE).await.failed();
        }
        assert_eq!(unproven_names(&places), MAX_UNPROVEN_NAMES);
        places.enter("a", HERE).await.failed();
        assert!(now(places.enter("a", HERE)).is_none(), "its failures still count");
    }

    #[tokio::test(start_paused = true)]
    async fn old_failures_make_room_for_new_names() {
        let places = PasswordPlaces::new(1);
        for number in 0..MAX_UNPROVEN_NAMES {
            places.enter(&format!("guess-{number}"), HERE).await.failed();
        }
        tokio::time::advance(FORGOTTEN_AFTER).await;
        places.enter("new", HERE).await.failed();
        assert_eq!(unproven_names(&places), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn a_user_who_signs_in_leaves_the_shared_place() {
        let places = PasswordPlaces::new(1);
        for number in 0..2 * MAX_UNPROVEN_NAMES {
            places.enter(&format!("guess-{number}"), HERE).await.failed();
        }
        places.enter("real", HERE).await.succeeded();
        let _guess = places.enter("yet another", HERE).await;
        assert!(now(places.enter("real", HERE)).is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn a_flood_of_networks_keeps_those_with_signed_in_users() {
        let places = PasswordPlaces::new(1);
        places.enter("real", HERE).await.succeeded();
        for number in 0..2 * u16::try_from(MAX_NETWORKS).unwrap() {
            tokio::time::advance(Duration::from_millis(1)).await;
            let [high, low] = number.to_be_bytes();
            places.enter("guess", IpAddr::from([11, high, low, 1])).await.failed();
        }
        let networks = places.networks.lock();
        assert_eq!(networks.len(), MAX_NETWORKS);
        assert!(networks[&Network::of(HERE)].proven.contains_key("real"));
    }

    fn unproven_names(places: &PasswordPlaces) -> usize {
        places.networks.lock()[&Network::of(HERE)].unproven.len()
    }
}
