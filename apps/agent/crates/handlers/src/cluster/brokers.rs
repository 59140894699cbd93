//! Selects the agents that a client sees as brokers, and the one that leads all partitions for it.
//!
//! Any agent can serve any partition and coordinate any group, so the "leader" is a choice, not a fact: one live agent
//! in the client's own zone, picked by rendezvous hashing over the client's identity. Every agent picks the same one
//! for a client, a client needs only one connection, and clients spread over the agents.
//!
//! The "coordinator" is chosen in the same way, but only among agents that clients have had time to discover. Tools
//! list groups and transactions by asking every broker that they know, and only the coordinator responds: a new agent
//! must not become it for a client with older metadata.

use std::net::IpAddr;

use penstock_metadata_client::proto;

use crate::context::{Caller, Context};

/// With this marker, a client names its zone in its `client.id`: `penstock_az=<zone>`.
const ZONE_MARKER: &str = "penstock_az=";

/// Constant, because clients need not know of leader changes.
pub(crate) const LEADER_EPOCH: i32 = 0;

/// Age at which an agent can become a coordinator. Most clients refresh their metadata every five minutes.
const SETTLING_MS: u64 = 5 * 60 * 1_000;

/// The in-sync replicas of a partition: only its leader, since object storage keeps the copies.
pub(crate) fn replicas(leader_id: i32) -> Vec<i32> {
    vec![leader_id]
}

/// An agent as a Kafka client sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Broker {
    pub(crate) node_id: i32,
    pub(crate) host: String,
    pub(crate) port: i32,
    /// The availability zone, if known.
    pub(crate) rack: Option<String>,
}

/// The brokers that a client sees, by node id, and the ones chosen for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BrokerView {
    pub(crate) brokers: Vec<Broker>,
    /// The leader of all partitions.
    pub(crate) leader: Broker,
    /// The coordinator of all groups and transactions, which also responds for the cluster if tools combine the
    /// responses of all brokers. The same as the leader, unless the leader is new.
    pub(crate) coordinator: Broker,
}

impl BrokerView {
    /// Selects the brokers for `caller`.
    pub(crate) fn of(context: &Context, caller: &Caller) -> Self {
        let node = &context.node;
        let advertised = node.advertised(&caller.client.listener);
        let this = Broker {
            node_id: node.node_id,
            host: advertised.map_or_else(String::new, |listener| listener.host.clone()),
            port: advertised.map_or(0, |listener| i32::from(listener.port)),
            rack: rack(&node.zone),
        };
        let listener = SoughtListener {
            name: &caller.client.listener,
            is_main: node.is_main_listener(&caller.client.listener),
        };
        choose(
            this,
            context.write_path.refusal().is_none(),
            &listener,
            &context.cache.catalogue().agents,
            (&caller.client_id, caller.client.host),
            context.cache.clock.now_ms(),
        )
    }

    /// Returns true if this node responds to requests that every broker could answer but tools expect from only one.
    pub(crate) fn is_coordinated_by(&self, node_id: i32) -> bool {
        self.coordinator.node_id == node_id
    }
}

/// The listener that the client connected to, and needs on other agents, too.
struct SoughtListener<'a> {
    name: &'a str,
    is_main: bool,
}

/// `serves`: true if this agent accepts writes. Otherwise it names itself only if there is no other.
fn choose(
    this: Broker,
    serves: bool,
    listener: &SoughtListener<'_>,
    agents: &[proto::Agent],
    (client_id, client_host): (&str, IpAddr),
    now_ms: u64,
) -> BrokerView {
    let zone = client_zone(client_id).map(str::to_owned).or_else(|| this.rack.clone());
    let mut alive: Vec<Broker> = agents
        .iter()
        .filter(|agent| agent.alive && agent.node_id != this.node_id)
        .filter_map(|agent| broker(agent, listener))
        .collect();
    // The responding agent is alive, whatever the catalogue says.
    if serves || alive.is_empty() {
        alive.push(this.clone());
    }
    alive.sort_by_key(|broker| broker.node_id);
    let in_zone: Vec<Broker> = alive.iter().filter(|broker| broker.rack == zone).cloned().collect();
    let brokers = if in_zone.is_empty() { alive } else { in_zone };
    let is_settled = |broker: &Broker| {
        let registered = agents.iter().find(|agent| agent.node_id == broker.node_id);
        let registered_at_ms = registered.and_then(|agent| u64::try_from(agent.registered_at_ms).ok());
        registered_at_ms.is_some_and(|at_ms| at_ms.saturating_add(SETTLING_MS) <= now_ms)
    };
    let key = |broker: &&Broker| (weight(client_id, client_host, broker.node_id), broker.node_id);
    let leader = brokers.iter().max_by_key(key).cloned().unwrap_or(this);
    let settled = brokers.iter().filter(|broker| is_settled(broker)).max_by_key(key);
    BrokerView {
        coordinator: settled.unwrap_or(&leader).clone(),
        leader,
        brokers,
    }
}

/// Returns `None` for an agent that serves no clients (it advertises port 0) or lacks such a listener: a client of a
/// TLS listener or of another network could not use a different one. An agent that names no listeners is of an earlier
/// version or has only one, which counts as the main one.
fn broker(agent: &proto::Agent, listener: &SoughtListener<'_>) -> Option<Broker> {
    let named = agent.listeners.iter().find(|other| other.name == listener.name);
    let (host, port) = match named {
        Some(named) => (&named.host, named.port),
        None if agent.listeners.is_empty() && listener.is_main => (&agent.advertised_host, agent.advertised_port),
        None => return None,
    };
    Some(Broker {
        node_id: agent.node_id,
        host: host.clone(),
        port: i32::try_from(port).ok().filter(|port| *port != 0)?,
        rack: rack(&agent.zone),
    })
}

fn rack(zone: &str) -> Option<String> {
    (!zone.is_empty()).then(|| zone.to_owned())
}

/// The zone named in a client id. It ends at the first character that is invalid in zone names.
fn client_zone(client_id: &str) -> Option<&str> {
    let (_, after) = client_id.split_once(ZONE_MARKER)?;
    let end = after.find(|letter: char| !(letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_')));
    let zone = &after[..end.unwrap_or(after.len())];
    (!zone.is_empty()).then_some(zone)
}

/// The rendezvous weight of a node for a client: FNV-1a over both with a finalizer, since FNV alone leaves the high
/// bits of similar inputs similar. Must never change, or agents of two versions would disagree.
fn weight(client_id: &str, client_host: IpAddr, node_id: i32) -> u64 {
    const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let host = match client_host.to_canonical() {
        IpAddr::V4(ip) => ip.octets().to_vec(),
        IpAddr::V6(ip) => ip.octets().to_vec(),
    };
    let parts = [client_id.as_bytes(), &[0], &host, &[0], &node_id.to_be_bytes()];
    let hash = parts
        .iter()
        .copied()
        .flatten()
        .fold(OFFSET_BASIS, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(PRIME));
    let mixed = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::net::Ipv4Addr;

    use super::*;

    const CLIENT: IpAddr = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 7));
    const NOW_MS: u64 = 1_800_000_000_000;

    fn agent(node_id: i32, zone: &str) -> proto::Agent {
        proto::Agent {
            node_id,
            zone: zone.into(),
            advertised_host: format!("agent-{node_id}"),
            advertised_port: 9092,
            alive: true,
            ..Default::default()
        }
    }

    const MAIN: SoughtListener<'_> = SoughtListener {
        name: "main",
        is_main: true,
    };

    fn view(this: i32, agents: &[proto::Agent], client_id: &str, client: IpAddr) -> BrokerView {
        view_on(&MAIN, this, agents, client_id, client)
    }

    fn view_on(
        listener: &SoughtListener<'_>,
        this: i32,
        agents: &[proto::Agent],
        client_id: &str,
        client: IpAddr,
    ) -> BrokerView {
        let own = agents
            .iter()
            .find(|agent| agent.node_id == this)
            .and_then(|agent| broker(agent, listener))
            .unwrap();
        choose(own, true, listener, agents, (client_id, client), NOW_MS)
    }

    fn node_ids(view: &BrokerView) -> Vec<i32> {
        view.brokers.iter().map(|broker| broker.node_id).collect()
    }

    #[test]
    fn a_read_only_agent_names_itself_only_when_alone() {
        let agents = [agent(1, "a"), agent(2, "a")];
        let own = broker(&agents[0], &MAIN).unwrap();
        let seen =
            |agents: &[proto::Agent]| node_ids(&choose(own.clone(), false, &MAIN, agents, ("app", CLIENT), NOW_MS));
        assert_eq!(seen(&agents), [2]);
        assert_eq!(seen(&agents[..1]), [1]);
    }

    #[test]
    fn every_agent_of_a_zone_names_the_same_leader() {
        let agents = [agent(1, "a"), agent(2, "a"), agent(3, "a"), agent(4, "b")];
        let views: Vec<BrokerView> = [1, 2, 3].map(|this| view(this, &agents, "app", CLIENT)).into();
        assert!(views.iter().all(|other| *other == views[0]));
        assert_eq!(node_ids(&views[0]), [1, 2, 3]);
    }

    #[test]
    fn a_client_that_names_its_zone_gets_that_zone_from_any_agent() {
        let agents = [agent(1, "a"), agent(2, "b"), agent(3, "b")];
        for client_id in ["penstock_az=b", "app,penstock_az=b,v2", "x;penstock_az=b;"] {
            let seen = view(1, &agents, client_id, CLIENT);
            assert_eq!(node_ids(&seen), [2, 3], "{client_id}");
            assert_eq!(seen.leader.rack.as_deref(), Some("b"));
        }
    }

    #[test]
    fn a_zone_without_agents_gets_all_agents() {
        let agents = [agent(1, "a"), agent(2, "b")];
        assert_eq!(node_ids(&view(1, &agents, "penstock_az=c", CLIENT)), [1, 2]);
    }

    #[test]
    fn never_names_agents_that_serve_no_clients() {
        let mut agents = [agent(1, "a"), agent(2, "a"), agent(3, "b")];
        agents[1].advertised_port = 0;
        agents[2].advertised_port = 0;
        assert_eq!(node_ids(&view(1, &agents, "app", CLIENT)), [1]);
        // A zone with only such agents counts as a zone without agents.
        assert_eq!(node_ids(&view(1, &agents, "penstock_az=b", CLIENT)), [1]);
    }

    #[test]
    fn a_client_gets_addresses_of_the_listener_that_it_uses() {
        let mut agents = [agent(1, "a"), agent(2, "a"), agent(3, "a"), agent(4, "a")];
        let listeners = |names: &[&str]| -> Vec<proto::AgentListener> {
            names
                .iter()
                .map(|name| proto::AgentListener {
                    name: (*name).to_owned(),
                    host: format!("{name}.example"),
                    port: 9093,
                    ..Default::default()
                })
                .collect()
        };
        agents[0].listeners = listeners(&["main", "tls"]);
        agents[1].listeners = listeners(&["main", "tls"]);
        agents[2].listeners = listeners(&["main"]);
        // The fourth is of a version that has one listener.
        let hosts =
            |seen: &BrokerView| -> Vec<String> { seen.brokers.iter().map(|broker| broker.host.clone()).collect() };
        let tls = SoughtListener {
            name: "tls",
            is_main: false,
        };
        assert_eq!(
            hosts(&view_on(&tls, 1, &agents, "app", CLIENT)),
            ["tls.example", "tls.example"]
        );
        assert_eq!(
            hosts(&view(1, &agents, "app", CLIENT)),
            ["main.example", "main.example", "main.example", "agent-4"]
        );
    }

    #[test]
    fn an_agent_considers_itself_alive() {
        let mut agents = [agent(1, "a"), agent(2, "a")];
        agents[0].alive = false;
        agents[1].alive = false;
        let seen = view(1, &agents, "app", CLIENT);
        assert_eq!(node_ids(&seen), [1]);
        assert_eq!(seen.leader.node_id, 1);
    }

    #[test]
    fn clients_spread_evenly_and_move_only_from_a_lost_agent() {
        let agents = [agent(1, ""), agent(2, ""), agent(3, ""), agent(4, "")];
        let clients = (0..4000u32).map(|n| IpAddr::V4(Ipv4Addr::from(0x0a00_0000 + n)));
        let mut led: HashMap<i32, u32> = HashMap::new();
        for client in clients {
            let leader = view(1, &agents, "app", client).leader.node_id;
            *led.entry(leader).or_default() += 1;
            let without_4 = view(1, &agents[..3], "app", client).leader.node_id;
            assert!(leader == 4 || leader == without_4);
        }
        assert!(led.values().all(|count| (800..1200).contains(count)), "{led:?}");
    }

    #[test]
    fn an_agent_coordinates_only_after_clients_can_know_it() {
        let registered = |node_id, ago_ms: u64| proto::Agent {
            registered_at_ms: i64::try_from(NOW_MS - ago_ms).unwrap(),
            ..agent(node_id, "a")
        };
        let clients: Vec<IpAddr> = (0..64u32)
            .map(|n| IpAddr::V4(Ipv4Addr::from(0x0a00_0000 + n)))
            .collect();
        let coordinators = |agents: &[proto::Agent]| -> Vec<i32> {
            let mut ids: Vec<i32> = clients
                .iter()
                .map(|client| {
                    let views: Vec<_> = agents
                        .iter()
                        .map(|this| view(this.node_id, agents, "app", *client))
                        .collect();
                    assert!(views.iter().all(|other| *other == views[0]));
                    views[0].coordinator.node_id
                })
                .collect();
            ids.sort_unstable();
            ids.dedup();
            ids
        };
        let old = [registered(1, SETTLING_MS), registered(2, SETTLING_MS * 9)];
        assert_eq!(coordinators(&old), [1, 2]);
        let joined = [old[0].clone(), old[1].clone(), registered(3, SETTLING_MS - 1)];
        assert_eq!(coordinators(&joined), [1, 2]);
        // In a new cluster, no agent is older.
        assert_eq!(coordinators(&[registered(1, 5), registered(2, 0)]), [1, 2]);
        // A settled coordinator is the one that would also be chosen as leader.
        for client in clients {
            let seen = view(1, &old, "app", client);
            assert_eq!(seen.coordinator, seen.leader);
        }
    }
}
