// Generated from the OpenAPI document by `pnpm --filter @penstock/api-client generate`.
export interface paths {
    "/agent-keys/{agentKeyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an agent key */
        delete: operations["revokeAgentKey"];
        options?: never;
        head?: never;
        /**
         * Update the name, limits and scope of an agent key
         * @description Omitted fields don’t change. `lifetimeDays` counts from now on; null removes the expiry. A scope can be narrowed only: from `agent` to `jobs` or `read_only`. Agents notice within seconds.
         */
        patch: operations["updateAgentKey"];
        trace?: never;
    };
    "/alert-recipients/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Choose whether a member receives alerts by email */
        patch: operations["chooseAlertRecipient"];
        trace?: never;
    };
    "/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List API keys, newest first, including expired and revoked keys */
        get: operations["listApiKeys"];
        put?: never;
        /** Create an API key with at most the caller’s role */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/{apiKeyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an API key */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/{apiKeyId}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate an API key
         * @description Creates a new key. The old key keeps working until the overlap ends.
         */
        post: operations["rotateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/current": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the API key used for this request */
        get: operations["getCurrentApiKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Search the audit log, newest first */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-log/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the audit log, oldest first, with its hash chain
         * @description `hash` is the SHA-256 of `hashedText` (UTF-8). `hashedText` is a JSON array that starts with the row’s number and the `hash` of the previous row, followed by all values of the row. Without a filter, row numbers are consecutive and each `previousHash` equals the `hash` of the previous row. The first row’s `previousHash` is empty.
         */
        get: operations["exportAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get payment method, account status and failed payments */
        get: operations["getBillingAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/budget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the monthly budget and spending cap, with their status */
        get: operations["getBudget"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update the monthly budget and spending cap
         * @description Send null to remove a value. Omitted values don’t change. If usage has already reached the cap, writes are blocked immediately.
         */
        patch: operations["updateBudget"];
        trace?: never;
    };
    "/billing/cost-by-day": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the cost of the current month by cluster and day */
        get: operations["getCostByDay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the credit balance and its entries, newest first */
        get: operations["getCredits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/details": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the billing details */
        get: operations["getBillingDetails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update the billing details for future invoices
         * @description Replaces all fields, so that parts of two addresses are never mixed. Send null to clear a field.
         */
        patch: operations["updateBillingDetails"];
        trace?: never;
    };
    "/billing/forecast": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Forecast the cost of the current month */
        get: operations["getForecast"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cluster-modes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the modes of clusters, with prices and limits */
        get: operations["listClusterModes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clusters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List clusters */
        get: operations["listClusters"];
        put?: never;
        /**
         * Create a virtual cluster
         * @description A cluster exists as metadata only. We bill writes and each minute in which at least one agent of the cluster was alive. Without agents, a cluster costs nothing.
         */
        post: operations["createCluster"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clusters/{clusterId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a cluster and its configuration */
        get: operations["getCluster"];
        put?: never;
        post?: never;
        /**
         * Delete a cluster
         * @description It can be restored for 30 days. `confirmation` must be the exact name of the cluster.
         */
        delete: operations["deleteCluster"];
        options?: never;
        head?: never;
        /** Rename a cluster */
        patch: operations["renameCluster"];
        trace?: never;
    };
    "/clusters/{clusterId}/access-settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the access settings of a cluster */
        get: operations["getAccessSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update the access settings of a cluster
         * @description Omitted settings don’t change. With `expectedVersion`, the change is refused if users, ACLs, quotas or settings have changed since that version.
         */
        patch: operations["updateAccessSettings"];
        trace?: never;
    };
    "/clusters/{clusterId}/acls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the ACLs of a cluster, oldest first */
        get: operations["listAcls"];
        put?: never;
        /**
         * Create up to 100 ACLs
         * @description Each ACL is accepted or refused on its own. An ACL that exists already is accepted. ACLs have an effect once `aclMode` is `shadow` or `enforced`.
         */
        post: operations["createAcls"];
        /**
         * Delete the ACLs that match all given fields
         * @description At least one field is required. With `patternType=MATCH`, all patterns match that apply to the resource of this name.
         */
        delete: operations["deleteAcls"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clusters/{clusterId}/agent-addresses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the addresses that agents of a cluster advertise, newest first */
        get: operations["listAgentAddresses"];
        put?: never;
        /**
         * Confirm an address that agents of a cluster advertise
         * @description You can also confirm an address before an agent advertises it.
         */
        post: operations["confirmAgentAddress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clusters/{clusterId}/agent-addresses/{host}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove an address of a cluster’s agents */
        delete: operations["removeAgentAddress"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clusters/{clusterId}/agent-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the agent keys of a cluster, newest first, including revoked keys */
        get: operations["listAgentKeys"];
        put?: never;
        /** Create an agent key for a cluster */
        post: operations["createAgentKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clusters/{clusterId}/agent-readings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the latest report of each agent that reported within the last 40 seconds
         * @description Repeat `stages` to choose latencies. The default is all stages.
         */
        get: operations["listAgentReadings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clusters/{clusterId}/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the agents of a cluster */
        get: operations["listAgents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clusters/{clusterId}/agents/{agentId}/diagnosis": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an agent’s bucket checks and latest errors */
        get: operations["getAgentDiagnosis"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clusters/{clusterId}/alert-recipients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the alert recipients, shared by all clusters of the organization */
        get: operations["getAlertRecipients"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clusters/{clusterId}/configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update the configuration of a cluster
         * @description Omitted fields don’t change. A new `mode` applies to agents within seconds, and to the bill from the next minute. A cluster with more partitions than a Dev cluster may have can’t become one. Low latency needs agents with landing buckets: `warning` says so when running agents have none. To see it before the change, use `GET /clusters/{clusterId}/modes`.
         */
        patch: operations["configureCluster"];
        trace?: never;
    };
    "/clusters/{clusterId}/consumer-groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List consumer groups with their lag */
        get: operations["listConsumerGroups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clusters/{clusterId}/consumer-groups/{groupId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a consumer group with its members, committed offsets and lag by partition */
        get: operations["getConsumerGroup"];
        put?: never;
        post?: never;
        /**
         * Delete a consumer group and its committed offsets
         * @description The group must have no members. `confirmation` must be the exact ID of the group. You can’t undo this.
         */
        delete: operations["deleteConsumerGroup"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clusters/{clusterId}/consumer-groups/{groupId}/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset a group’s offsets for a topic
         * @description The group must have no members. `to` is the beginning, the end, a time (`timeMs`), an offset (`offset`, `partition`), or a shift of each committed offset by a number of records (`shiftBy`). With `partition`, only that one is reset.
         */
        post: operations["resetConsumerGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clusters/{clusterId}/consumer-groups/{groupId}/reset-preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show what a reset of a group’s offsets would change
         * @description Takes the inputs of the reset and changes nothing. Allowed while the group has members.
         */
        get: operations["previewConsumerGroupReset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clusters/{clusterId}/denied-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the requests of the last hour that ACLs denied, latest first
         * @description Includes requests that ACLs would have denied in shadow mode. Each item names the ACL that would allow the requests, or the ACL that denies them. Agents report every 10 seconds, up to 100 different requests each. At most 200 are listed.
         */
        get: operations["listDeniedRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clusters/{clusterId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the events of a cluster, newest first (CloudEvents 1.0) */
        get: operations["listClusterEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clusters/{clusterId}/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the health of a cluster, with open issues and how to resolve them */
        get: operations["getClusterHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clusters/{clusterId}/kafka-client-series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Query the metrics that clients with one client ID pushed
         * @description Latencies and times are in milliseconds, and rates are per second.
         */
        get: operations["getKafkaClientSeries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clusters/{clusterId}/kafka-clients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the client IDs whose clients pushed metrics
         * @description Clients push metrics if a client-metrics subscription matches them (KIP-714).
         */
        get: operations["listKafkaClients"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clusters/{clusterId}/metadata-memory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the memory that a cluster uses in the metadata service, and its limits */
        get: operations["getMetadataMemory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clusters/{clusterId}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the metrics of a cluster for Prometheus (OpenMetrics 1.0)
         * @description Throughput, requests, errors, latencies, agents and consumer lag. A read-only key with the viewer role is sufficient.
         */
        get: operations["getClusterMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clusters/{clusterId}/modes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview what each mode would mean for a cluster
         * @description Compares the limits of each mode with the partitions of the cluster and its writes in the last hour.
         */
        get: operations["previewClusterModes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clusters/{clusterId}/quotas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the client quotas of a cluster */
        get: operations["listClientQuotas"];
        put?: never;
        /**
         * Set or remove the quotas of a user, a client ID or both
         * @description Null removes a quota. Omitted ones don’t change. An empty `user` or `clientId` is Kafka’s default entity.
         */
        post: operations["setClientQuota"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clusters/{clusterId}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Restore a deleted cluster */
        post: operations["restoreCluster"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clusters/{clusterId}/series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Query a metric over time */
        get: operations["getMetricSeries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clusters/{clusterId}/several-series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Query several metrics over the same time range
         * @description Repeat `metrics` for each metric, such as `?metrics=latency.produce&metrics=rate.produced_bytes`.
         */
        get: operations["getSeveralMetricSeries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clusters/{clusterId}/silences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List active silences, soonest to expire first */
        get: operations["listSilences"];
        put?: never;
        /**
         * Silence alerts for one rule, or for all rules, until a given time
         * @description Issues are still detected, shown and logged.
         */
        post: operations["createSilence"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clusters/{clusterId}/topics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List topics with their partitions */
        get: operations["listTopics"];
        put?: never;
        /** Create a topic */
        post: operations["createTopic"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clusters/{clusterId}/topics/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a topic with its partitions */
        get: operations["getTopic"];
        put?: never;
        post?: never;
        /**
         * Delete a topic and all its records
         * @description `confirmation` must be the exact name of the topic. You can’t undo this.
         */
        delete: operations["deleteTopic"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clusters/{clusterId}/topics/{name}/browse-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a token to read a topic’s records from agents
         * @description Each agent has a token, which expires after 30 seconds. Send it in the authorization header of `POST {url}/v1/records`, with the address of the dashboard in the origin header. An agent refuses the token of another address. Records never pass through this API. Agents serve records only if their operator allows it (`--message-browser`).
         */
        post: operations["createBrowseToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clusters/{clusterId}/topics/{name}/configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all configs of a topic with their meaning
         * @description Says of each whether it has an effect. Others are kept for Kafka’s tools, and change nothing.
         */
        get: operations["listTopicConfigs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update the configuration of a topic
         * @description Uses Kafka’s config names. Send null to restore a default.
         */
        patch: operations["configureTopic"];
        trace?: never;
    };
    "/clusters/{clusterId}/topics/{name}/consumers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the consumer groups that read a topic, with their lag
         * @description Groups with members or committed offsets on the topic, the furthest behind first.
         */
        get: operations["listTopicConsumers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clusters/{clusterId}/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List transactional producers and their open transactions
         * @description Open transactions come first, the longest open one first. Consumers at `read_committed` wait at the first record of an open transaction.
         */
        get: operations["listTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clusters/{clusterId}/transactions/{transactionalId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a transactional producer and its open transaction */
        get: operations["getTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clusters/{clusterId}/transactions/{transactionalId}/abort": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Abort an open transaction and fence its producer
         * @description Consumers at `read_committed` never see its records, and the producer gets an error with its next request. `confirmation` must be the exact transactional ID. You can’t undo this.
         */
        post: operations["abortTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clusters/{clusterId}/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the Kafka users of a cluster
         * @description Verifiers are never returned.
         */
        get: operations["listClusterUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clusters/{clusterId}/users/{user}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a Kafka user
         * @description Deletes all credentials of the user, or one if `mechanism` is given. Agents end the user’s connections within seconds. ACLs and quotas that name the user stay.
         */
        delete: operations["deleteClusterUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clusters/{clusterId}/users/{user}/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add or replace a SCRAM credential of a Kafka user
         * @description Send a verifier (RFC 5802, section 3), never a password: `salt`, `storedKey` and `serverKey` are base64. `penstock user create` derives it for you. Agents accept the new credential within seconds.
         */
        post: operations["putClusterUserCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deleted-clusters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List deleted clusters that can be restored */
        get: operations["listDeletedClusters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List pending invitations */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite a person by email
         * @description The email names the creator of the API key as the inviter.
         */
        post: operations["inviteMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations/{invitationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an invitation */
        delete: operations["revokeInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List invoices and credit notes, newest first */
        get: operations["listInvoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invoices/{invoice}/csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the lines of an invoice as CSV
         * @description Use `draft` for the current month.
         */
        get: operations["downloadInvoiceAsCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invoices/{invoice}/document": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the sealed invoice document as JSON
         * @description Use `draft` for the current month.
         */
        get: operations["downloadInvoiceAsJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invoices/{invoice}/lines/{position}/origin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the hours of an invoice line with their journal entries
         * @description Use `draft` for the current month.
         */
        get: operations["getInvoiceLineOrigin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invoices/{invoice}/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an invoice as PDF
         * @description Use `draft` for the current month.
         */
        get: operations["downloadInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invoices/{invoiceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an invoice */
        get: operations["getInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invoices/{invoiceId}/collect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pay an open invoice by card instead of bank transfer */
        post: operations["payInvoiceByCard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invoices/{invoiceId}/lines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the lines of an invoice */
        get: operations["listInvoiceLines"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invoices/pending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the draft invoice of the current month */
        get: operations["getPendingInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List members, oldest first */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a member’s role */
        get: operations["getMemberRole"];
        put?: never;
        post?: never;
        /** Remove a member */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change a member’s role
         * @description `clusterRoles` are roles for single clusters, on top of `role`. A member with the role `none` sees only those clusters.
         */
        patch: operations["changeMemberRole"];
        trace?: never;
    };
    "/organization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the organization that the API key belongs to */
        get: operations["getOrganization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organization/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the organization
         * @description Returns one JSON object per line, with `type` and `data`: the organization, members, invitations, clusters, keys (without secrets), billing details, invoices with their lines, credits, hourly usage, events, topics, groups and the audit log. The last line has the type `end`. It has the number of lines and lists anything that could not be read. Requires a key with the owner role.
         */
        get: operations["exportOrganization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/silences/{silenceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End a silence early */
        delete: operations["endSilence"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sso": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the single sign-on settings, domains and callback URL */
        get: operations["getSso"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sso/connection": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the connection to the identity provider */
        get: operations["getSsoConnection"];
        put?: never;
        post?: never;
        /**
         * Remove the connection
         * @description Members then sign in with their own methods, such as a password or passkey.
         */
        delete: operations["removeSsoConnection"];
        options?: never;
        head?: never;
        /**
         * Create or update the connection to the identity provider
         * @description Omitted fields don’t change. A new OpenID Connect connection requires `issuer`, `clientId` and `clientSecret`; a SAML connection requires `samlMetadata` or `samlMetadataUrl`. A new issuer or client requires a new secret. Requires a key with the owner role.
         */
        patch: operations["updateSsoConnection"];
        trace?: never;
    };
    "/sso/domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List email domains with the TXT records that verify them */
        get: operations["listSsoDomains"];
        put?: never;
        /**
         * Add an email domain
         * @description It has no effect until it is verified.
         */
        post: operations["addSsoDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sso/domains/{domainId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a domain */
        delete: operations["removeSsoDomain"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sso/domains/{domainId}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Check the TXT record of a domain and verify the domain */
        post: operations["verifySsoDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sso/scim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the SCIM endpoint and its tokens */
        get: operations["getScim"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sso/scim/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a SCIM token
         * @description With it, your provider creates, changes and ends members. A token that exists expires after the overlap.
         */
        post: operations["createScimToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sso/scim/tokens/{tokenId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke a SCIM token */
        delete: operations["revokeScimToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tco/catalogue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the dated prices used in estimates, with their sources */
        get: operations["getPriceCatalogue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tco/estimates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Estimate the cost of a workload on Penstock and its alternatives
         * @description Doesn’t require an API key. Send an empty object to estimate the calculator’s default workload.
         */
        post: operations["estimateCost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tco/published-figures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get recomputed figures from published cost analyses */
        get: operations["listPublishedFigures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/throughput": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the throughput of all clusters of the organization */
        get: operations["getOrganizationThroughput"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the usage of the current month (UTC) for the organization or one cluster */
        get: operations["getMonthToDateUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the webhook */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set the webhook and create a new secret
         * @description Send null to remove it. Every change creates a new secret, so that the previous receiver can’t forge our signature. Only this response contains the secret. For `If-Match`, read the webhook again.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/webhook/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List recent deliveries, newest first */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook/tests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a test event */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description An ACL in Kafka’s words. `*` as name, host or principal name stands for all.
         * @example {
         *       "resourceType": "TOPIC",
         *       "resourceName": "orders",
         *       "patternType": "LITERAL",
         *       "principal": "User:billing-service",
         *       "host": "*",
         *       "operation": "READ",
         *       "permission": "ALLOW"
         *     }
         */
        Acl: {
            host: string;
            /** @enum {string} */
            operation: "ALL" | "READ" | "WRITE" | "CREATE" | "DELETE" | "ALTER" | "DESCRIBE" | "CLUSTER_ACTION" | "DESCRIBE_CONFIGS" | "ALTER_CONFIGS" | "IDEMPOTENT_WRITE" | "CREATE_TOKENS" | "DESCRIBE_TOKENS" | "TWO_PHASE_COMMIT";
            /** @enum {string} */
            patternType: "LITERAL" | "PREFIXED";
            /** @enum {string} */
            permission: "ALLOW" | "DENY";
            principal: string;
            resourceName: string;
            /** @enum {string} */
            resourceType: "TOPIC" | "GROUP" | "CLUSTER" | "TRANSACTIONAL_ID" | "DELEGATION_TOKEN" | "USER";
        };
        /**
         * @example {
         *       "agentId": "agent-1",
         *       "nodeId": 1,
         *       "zone": "eu-central-1a",
         *       "version": "0.1.0",
         *       "advertisedHost": "10.0.0.7",
         *       "advertisedPort": 9092,
         *       "registeredAtMs": 1795000000000,
         *       "lastSeenMs": 1795000100000,
         *       "alive": true,
         *       "bucket": "s3://acme-penstock",
         *       "messageBrowserUrl": null,
         *       "landingZones": []
         *     }
         */
        Agent: {
            advertisedHost: string;
            advertisedPort: number;
            agentId: string;
            alive: boolean;
            bucket: string;
            /** @description Zones of its landing buckets. Null for an agent of an earlier version, which doesn’t say. */
            landingZones: string[] | null;
            lastSeenMs: number;
            /** @description URL where browsers can read records from the agent. Null if message browsing is turned off. */
            messageBrowserUrl: string | null;
            nodeId: number;
            registeredAtMs: number;
            version: string;
            zone: string;
        };
        /**
         * @example {
         *       "host": "agent-1.agents.internal",
         *       "state": "pending",
         *       "agentKeyId": "0199e0f3-1b2c-7d3e-8f40-516273849506",
         *       "agentKeyName": "production, eu-west-1",
         *       "firstSeenAt": "2026-11-21T15:04:00.000Z",
         *       "lastSeenAt": "2026-11-21T15:04:00.000Z",
         *       "confirmedAt": null
         *     }
         */
        AgentAddress: {
            agentKeyId: string | null;
            agentKeyName: string | null;
            confirmedAt: string | null;
            /** Format: date-time */
            firstSeenAt: string;
            host: string;
            /** @description To the hour. Null if no agent has advertised it yet. */
            lastSeenAt: string | null;
            /**
             * @description Clients are sent to learned and confirmed addresses only. A pending address waits for confirmation. A refused one is not among the addresses of the agent’s key.
             * @enum {string}
             */
            state: "learned" | "confirmed" | "pending" | "refused";
        };
        /**
         * @example {
         *       "agentId": "agent-1",
         *       "diagnosis": {
         *         "checkedAtMs": 1795000000000,
         *         "checks": [
         *           {
         *             "operation": "put",
         *             "took_ms": 31,
         *             "failure": null
         *           }
         *         ],
         *         "storeClockOffset_ms": 2,
         *         "lifecycle": {
         *           "outcome": "harmless"
         *         },
         *         "lastErrors": []
         *       }
         *     }
         */
        AgentDiagnosis: {
            agentId: string;
            /** @description Null: the agent hasn’t reported yet. */
            diagnosis: {
                checkedAtMs: number;
                checks: {
                    failure: components["schemas"]["AgentFailure"] | null;
                    /** @enum {string} */
                    operation: "put" | "get" | "list" | "delete";
                    took_ms: number;
                }[];
                lastErrors: {
                    atMs: number;
                    failure: components["schemas"]["AgentFailure"];
                    /** @enum {string} */
                    kind: "store" | "metadata" | "permission";
                }[];
                lifecycle: {
                    /** @constant */
                    outcome: "not-checked";
                    reason: string;
                } | {
                    /** @enum {string} */
                    outcome: "no-rules" | "harmless";
                } | {
                    failure: components["schemas"]["AgentFailure"];
                    /** @enum {string} */
                    outcome: "not-allowed" | "failed";
                } | {
                    /** @constant */
                    outcome: "harmful";
                    rule: {
                        /** @enum {string} */
                        action: "expires" | "transitions";
                        days: number | null;
                        prefix: string;
                        ruleId: string;
                        storageClass: string;
                    };
                };
                storeClockOffset_ms: number | null;
            } | null;
        };
        /** @description Messages come from the agent and its object storage. */
        AgentFailure: {
            class: string;
            code: string;
            message: string;
        };
        /**
         * @example {
         *       "id": "0199e0f3-1b2c-7d3e-8f40-516273849506",
         *       "name": "production, eu-west-1",
         *       "displayPrefix": "psk_agent_a1B2",
         *       "displayLast4": "x9Y8",
         *       "createdBy": "Yk3vTq8sLm2nRb5w",
         *       "createdAt": "2026-11-02T09:30:00.000Z",
         *       "expiresAt": "2027-11-02T09:30:00.000Z",
         *       "networks": [
         *         "203.0.113.0/24"
         *       ],
         *       "addresses": [
         *         "*.agents.internal",
         *         "10.0.0.0/8"
         *       ],
         *       "scope": "agent",
         *       "lastUsedAt": "2026-11-21T15:04:00.000Z",
         *       "lastAddress": "203.0.113.7",
         *       "revokedAt": null
         *     }
         */
        AgentKey: {
            /** @description Hosts that agents with this key may advertise: names, suffixes such as `*.agents.internal`, IP addresses and CIDR ranges. Empty: the configuration of the cluster decides. */
            addresses: string[];
            /** Format: date-time */
            createdAt: string;
            displayLast4: string;
            displayPrefix: string;
            expiresAt: string | null;
            /** Format: uuid */
            id: string;
            /** @description The IP address of the last use. */
            lastAddress: string | null;
            lastUsedAt: string | null;
            name: string;
            /** @description IP addresses and CIDR ranges that the key may be used from. Empty: any. */
            networks: string[];
            revokedAt: string | null;
            /** @description What the key may do. `agent`: everything that agents need. `jobs`: merging, compaction and deletions. `read_only`: serving consumers, with their groups and offsets. */
            scope: string;
        };
        /**
         * @example {
         *       "agentId": "agent-1",
         *       "zone": "eu-central-1a",
         *       "version": "0.1.0",
         *       "reportedAtMs": 1795000000000,
         *       "span_ms": 20000,
         *       "producedBytesPerS": 1048576,
         *       "fetchedBytesPerS": 2097152,
         *       "producedRecordsPerS": 1000,
         *       "requestsPerS": 40,
         *       "errorsPerS": 0,
         *       "objectPutsPerS": 4,
         *       "landingPutsPerS": 0,
         *       "landingFallbacksPerS": 0,
         *       "objectGetsPerS": 1,
         *       "objectErrorsPerS": 0,
         *       "cpuCores": 0.2,
         *       "cacheHitRatio": 0.97,
         *       "throttledShare": 0,
         *       "openConnections": 12,
         *       "residentBytes": 268435456,
         *       "cacheBytes": 134217728,
         *       "inFlightBytes": 0,
         *       "filesInFlight": 0,
         *       "waitingReports": 0,
         *       "clockOffset_ms": 3,
         *       "latencies": {
         *         "produce": {
         *           "count": 120,
         *           "p50_ms": 4.1,
         *           "p95_ms": 9.8,
         *           "p99_ms": 14.2
         *         }
         *       },
         *       "refusedReports": 0,
         *       "lastRefusal": null
         *     }
         */
        AgentReading: {
            agentId: string;
            cacheBytes: number | null;
            cacheHitRatio: number | null;
            /** @description The agent’s clock minus ours. */
            clockOffset_ms: number | null;
            cpuCores: number;
            errorsPerS: number;
            fetchedBytesPerS: number;
            filesInFlight: number | null;
            inFlightBytes: number | null;
            /** @description Files written to the standard bucket because no two landing buckets accepted them. */
            landingFallbacksPerS: number;
            /** @description To landing buckets; at least two for each file. */
            landingPutsPerS: number;
            lastRefusal: string | null;
            /** @description By stage. Stages without data are omitted. */
            latencies: {
                [key: string]: components["schemas"]["LatencyReading"];
            };
            objectErrorsPerS: number;
            objectGetsPerS: number;
            /** @description To the standard bucket. */
            objectPutsPerS: number;
            openConnections: number | null;
            producedBytesPerS: number;
            producedRecordsPerS: number;
            refusedReports: number;
            /** @description Milliseconds since the Unix epoch. */
            reportedAtMs: number;
            requestsPerS: number;
            residentBytes: number | null;
            /** @description Time that the readings cover. */
            span_ms: number;
            throttledShare: number;
            version: string;
            waitingReports: number | null;
            zone: string;
        };
        /**
         * @example {
         *       "userId": "Yk3vTq8sLm2nRb5w",
         *       "isTold": true
         *     }
         */
        AlertChoice: {
            isTold: boolean;
            userId: string;
        };
        /**
         * @example {
         *       "emails": [
         *         "ada@example.com"
         *       ],
         *       "webhookHost": "hooks.example.com",
         *       "members": [
         *         {
         *           "userId": "Yk3vTq8sLm2nRb5w",
         *           "name": "Ada Park",
         *           "email": "ada@example.com",
         *           "role": "admin",
         *           "isTold": true
         *         }
         *       ]
         *     }
         */
        AlertRecipients: {
            emails: string[];
            members: {
                email: string;
                isTold: boolean;
                name: string;
                role: string;
                userId: string;
            }[];
            /** @description Only the host, because webhook paths often contain secrets. */
            webhookHost: string | null;
        };
        /**
         * @example {
         *       "id": "0199e0f3-1b2c-7d3e-8f40-516273849506",
         *       "name": "deployments",
         *       "role": "admin",
         *       "clusterRoles": [],
         *       "isReadOnly": false,
         *       "displayPrefix": "psk_api_a1B2",
         *       "displayLast4": "x9Y8",
         *       "createdAt": "2026-11-02T09:30:00.000Z",
         *       "expiresAt": null,
         *       "lastUsedAt": "2026-11-21T15:04:00.000Z",
         *       "revokedAt": null,
         *       "replacedById": null
         *     }
         */
        ApiKey: {
            /** @description Roles for single clusters, on top of `role`. */
            clusterRoles: {
                /** Format: uuid */
                clusterId: string;
                /** @enum {string} */
                role: "admin" | "operator" | "viewer";
            }[];
            /** Format: date-time */
            createdAt: string;
            /** @description The ID of the person or API key that created it. It ends when that person leaves. */
            createdBy: string | null;
            displayLast4: string;
            displayPrefix: string;
            expiresAt: string | null;
            /** Format: uuid */
            id: string;
            isReadOnly: boolean;
            lastUsedAt: string | null;
            name: string;
            replacedById: string | null;
            revokedAt: string | null;
            /** @enum {string} */
            role: "owner" | "admin" | "operator" | "billing" | "viewer" | "none";
        };
        /**
         * @example {
         *       "id": "0199e0f5-3d4e-7f50-8162-738495061728",
         *       "at": "2026-11-21T15:04:05.000Z",
         *       "actorLabel": "ada@example.com",
         *       "source": "web",
         *       "action": "cluster.rename",
         *       "targetType": "cluster",
         *       "targetId": "0199e0f2-7a9b-7c3d-8e4f-5a6b7c8d9e0f",
         *       "before": {
         *         "name": "orders"
         *       },
         *       "after": {
         *         "name": "orders-eu"
         *       }
         *     }
         */
        AuditRow: {
            action: string;
            actorLabel: string;
            after: unknown;
            /** Format: date-time */
            at: string;
            before: unknown;
            /** Format: uuid */
            id: string;
            source: string;
            targetId: string;
            targetType: string;
        };
        /**
         * @example {
         *       "legalName": "Acme GmbH",
         *       "addressLine1": "Hauptstr. 1",
         *       "addressLine2": null,
         *       "city": "Berlin",
         *       "state": null,
         *       "postalCode": "10115",
         *       "country": "DE",
         *       "taxIdType": "eu_vat",
         *       "taxId": "DE123456789",
         *       "billingEmail": "bills@example.com",
         *       "detailsProblem": null,
         *       "paymentMethodLabel": "Visa ending 4242, expires 12/2030",
         *       "canPayByCard": true,
         *       "standing": "good",
         *       "standingSince": null,
         *       "failedPayments": []
         *     }
         */
        BillingAccount: {
            addressLine1: string | null;
            addressLine2: string | null;
            /** @description Null: the owners receive billing email. */
            billingEmail: string | null;
            canPayByCard: boolean;
            city: string | null;
            /** @description ISO 3166-1 alpha-2. */
            country: string | null;
            /** @description Problems with the details, if any are known. */
            detailsProblem: string | null;
            failedPayments: {
                /** Format: date-time */
                failingSince: string;
                hostedInvoiceUrl: string | null;
                invoiceId: string;
                invoiceNumber: string;
                reason: string | null;
                /** Format: date-time */
                restrictedFrom: string;
            }[];
            legalName: string | null;
            /** @description Null: invoices are paid by bank transfer. */
            paymentMethodLabel: string | null;
            postalCode: string | null;
            /**
             * @description `restricted`: no clusters can be created until the open invoices are paid.
             * @enum {string}
             */
            standing: "good" | "past_due" | "restricted";
            standingSince: string | null;
            state: string | null;
            taxId: string | null;
            /** @description Uses Stripe’s names, such as `eu_vat`. */
            taxIdType: string | null;
        };
        /**
         * @example {
         *       "legalName": "Acme GmbH",
         *       "addressLine1": "Hauptstr. 1",
         *       "addressLine2": null,
         *       "city": "Berlin",
         *       "state": null,
         *       "postalCode": "10115",
         *       "country": "DE",
         *       "taxIdType": "eu_vat",
         *       "taxId": "DE123456789",
         *       "billingEmail": "bills@example.com"
         *     }
         */
        BillingDetails: {
            addressLine1: string | null;
            addressLine2: string | null;
            /** @description Null: the owners receive billing email. */
            billingEmail: string | null;
            city: string | null;
            /** @description ISO 3166-1 alpha-2. */
            country: string | null;
            legalName: string | null;
            postalCode: string | null;
            state: string | null;
            taxId: string | null;
            /** @description Uses Stripe’s names, such as `eu_vat`. */
            taxIdType: string | null;
        };
        /**
         * @example {
         *       "token": "eyJhbGciOiJFZERTQSJ9.…",
         *       "expiresAtMs": 1795000030000,
         *       "agents": [
         *         {
         *           "agentId": "agent-1",
         *           "nodeId": 1,
         *           "zone": "eu-central-1a",
         *           "url": "https://records.example.com",
         *           "token": "eyJhbGciOiJFZERTQSJ9.…"
         *         }
         *       ]
         *     }
         */
        BrowseToken: {
            agents: {
                agentId: string;
                nodeId: number;
                token: string;
                url: string;
                zone: string;
            }[];
            /** @description Milliseconds since the Unix epoch. */
            expiresAtMs: number;
            /** @description The token of the first agent in the list. */
            token: string;
        };
        /**
         * @example {
         *       "budgetUsd": "250.00",
         *       "capUsd": null,
         *       "writesRefusedReason": null,
         *       "alerts": [
         *         {
         *           "percent": 50,
         *           "budgetUsd": "250.00",
         *           "costUsd": "125.40",
         *           "at": "2026-11-15T09:00:00.000Z"
         *         }
         *       ]
         *     }
         */
        Budget: {
            /** @description Thresholds passed this month. */
            alerts: {
                /** Format: date-time */
                at: string;
                /**
                 * @description US dollars as a decimal string.
                 * @example 12.34
                 */
                budgetUsd: string;
                /**
                 * @description US dollars as a decimal string.
                 * @example 12.34
                 */
                costUsd: string;
                percent: number;
            }[];
            /** @description For a calendar month (UTC). We send email as usage approaches it. */
            budgetUsd: string | null;
            /** @description For a calendar month (UTC). Writes are blocked once usage reaches it. */
            capUsd: string | null;
            /** @description Null: writes are allowed. */
            writesRefusedReason: string | null;
        };
        /**
         * @example {
         *       "user": "billing-service",
         *       "clientId": null,
         *       "producerByteRate": 10485760,
         *       "consumerByteRate": null,
         *       "requestPercentage": null
         *     }
         */
        ClientQuota: {
            /** @description Likewise for the client ID. */
            clientId: string | null;
            /** @description Bytes per second and agent. */
            consumerByteRate: number | null;
            /** @description Bytes per second and agent. */
            producerByteRate: number | null;
            /** @description Percent of one thread’s time. */
            requestPercentage: number | null;
            /** @description Null if the quota doesn’t depend on the user. Empty for the default of all users without a quota of their own. */
            user: string | null;
        };
        /**
         * @example {
         *       "id": "0199e0f2-7a9b-7c3d-8e4f-5a6b7c8d9e0f",
         *       "name": "orders",
         *       "cloud": "aws",
         *       "region": "eu-central-1",
         *       "mode": "standard",
         *       "autoCreateTopics": true,
         *       "defaultPartitions": 12,
         *       "offsetsRetentionMinutes": 10080,
         *       "maxUncompressedBatchBytes": 67108864,
         *       "deletionProtection": false,
         *       "confirmAgentAddresses": true,
         *       "confirmAgentAddressesFrom": "2026-11-03T09:35:00.000Z",
         *       "allowAgentAdministration": false,
         *       "createdAt": "2026-11-02T09:30:00.000Z",
         *       "deletedAt": null,
         *       "purgeAt": null
         *     }
         */
        Cluster: {
            /** @description Whether agents may change users, ACLs and quotas for Kafka clients that did not sign in with SCRAM. Without it, such clients are refused, so a stolen agent key can’t change them. */
            allowAgentAdministration: boolean;
            autoCreateTopics: boolean;
            cloud: string;
            /** @description Whether agents with an address that is new to the cluster wait for a confirmation. */
            confirmAgentAddresses: boolean;
            /** @description From when on. Until then, addresses are learned. Null: a day after the first agent registers. */
            confirmAgentAddressesFrom: string | null;
            /** Format: date-time */
            createdAt: string;
            defaultPartitions: number;
            deletedAt: string | null;
            deletionProtection: boolean;
            /** Format: uuid */
            id: string;
            /** @description What a compressed batch may decompress to, in bytes, in topics that don’t set `max.uncompressed.batch.bytes`. */
            maxUncompressedBatchBytes: number;
            /**
             * @description Decides what a cluster-minute costs, and which limits apply. `GET /cluster-modes` lists both.
             * @enum {string}
             */
            mode: "dev" | "standard" | "low-latency";
            name: string;
            /** @description How long committed offsets are kept after their last use. Kafka’s `offsets.retention.minutes`. */
            offsetsRetentionMinutes: number;
            /** @description When a deleted cluster is permanently deleted. Null if the cluster isn’t deleted. */
            purgeAt: string | null;
            region: string;
        };
        /** @description A CloudEvent 1.0. */
        ClusterEvent: {
            data: {
                [key: string]: unknown;
            };
            /** @constant */
            datacontenttype: "application/json";
            /** Format: uuid */
            id: string;
            source: string;
            /** @constant */
            specversion: "1.0";
            subject?: string;
            /** Format: date-time */
            time: string;
            type: string;
        };
        ClusterHealth: {
            assessedAt: string | null;
            findings: {
                cause: string;
                /** Format: uuid */
                id: string;
                isSilenced: boolean;
                remedy: string;
                /** @description Stable ID for programs, such as `agents.none`. */
                rule: string;
                /** @enum {string} */
                severity: "warning" | "critical";
                /** Format: date-time */
                since: string;
                subject: {
                    agentId?: string;
                    group?: string;
                    zone?: string;
                };
                title: string;
            }[];
            /**
             * @description `unknown`: not checked within 30 s. `waiting`: no agent has ever registered.
             * @enum {string}
             */
            level: "unknown" | "waiting" | "healthy" | "degraded" | "critical";
            since: string | null;
        };
        /**
         * @example {
         *       "mode": "dev",
         *       "name": "Dev",
         *       "usdPerMinute": "0",
         *       "usdPerMonth": "$0.00",
         *       "maxWrittenMibPerSecond": 10,
         *       "maxPartitions": 1000
         *     }
         */
        ClusterMode: {
            /** @description Null: not limited by the mode. */
            maxPartitions: number | null;
            /** @description Of bytes before compression, for the whole cluster. Null: not limited by the mode. */
            maxWrittenMibPerSecond: number | null;
            /** @enum {string} */
            mode: "dev" | "standard" | "low-latency";
            name: string;
            /** @description The price of a cluster-minute. */
            usdPerMinute: string;
            /** @description The same with an agent alive for all 730 hours of a month. Writes are billed separately. */
            usdPerMonth: string;
        };
        /**
         * @example {
         *       "mode": "dev",
         *       "name": "Dev",
         *       "usdPerMinute": "0",
         *       "usdPerMonth": "$0.00",
         *       "maxWrittenMibPerSecond": 10,
         *       "maxPartitions": 1000,
         *       "isCurrent": false,
         *       "refusal": "A Dev cluster has at most 1,000 partitions. This cluster has 1,200. Delete topics first, or choose Standard.",
         *       "warning": null
         *     }
         */
        ClusterModePreview: {
            isCurrent: boolean;
            /** @description Null: not limited by the mode. */
            maxPartitions: number | null;
            /** @description Of bytes before compression, for the whole cluster. Null: not limited by the mode. */
            maxWrittenMibPerSecond: number | null;
            /** @enum {string} */
            mode: "dev" | "standard" | "low-latency";
            name: string;
            /** @description Why the cluster can’t be in this mode now, and what to do. Null: it can. */
            refusal: string | null;
            /** @description The price of a cluster-minute. */
            usdPerMinute: string;
            /** @description The same with an agent alive for all 730 hours of a month. Writes are billed separately. */
            usdPerMonth: string;
            /** @description What clients would notice. Null: nothing. */
            warning: string | null;
        };
        /**
         * @example {
         *       "user": "billing-service",
         *       "credentials": [
         *         {
         *           "mechanism": "SCRAM-SHA-512",
         *           "iterations": 8192,
         *           "createdAt": "2026-11-23T09:30:00.000Z",
         *           "expiresAt": null,
         *           "lastUsedAt": "2026-11-23T10:12:00.000Z",
         *           "lastUsedFrom": "10.0.3.17"
         *         }
         *       ]
         *     }
         */
        ClusterUser: {
            credentials: {
                /** Format: date-time */
                createdAt: string;
                /** @description Null if the credential doesn’t expire. */
                expiresAt: string | null;
                iterations: number;
                /** @description When a client that signed in with the credential was last connected. Null if none was seen. Up to a minute behind. */
                lastUsedAt: string | null;
                /** @description IP address of the client that signed in last. Null if none was seen. */
                lastUsedFrom: string | null;
                /** @enum {string} */
                mechanism: "SCRAM-SHA-256" | "SCRAM-SHA-512";
            }[];
            user: string;
        };
        /**
         * @example {
         *       "groupId": "billing",
         *       "type": "Classic",
         *       "state": "Stable",
         *       "protocolType": "consumer",
         *       "protocolName": "range",
         *       "groupEpoch": null,
         *       "members": [
         *         {
         *           "memberId": "c-1",
         *           "clientId": "billing-1",
         *           "clientHost": "10.0.0.7",
         *           "groupInstanceId": null,
         *           "assignment": [
         *             {
         *               "topic": "orders",
         *               "partitions": [
         *                 0
         *               ]
         *             }
         *           ],
         *           "memberEpoch": null,
         *           "targetAssignment": null
         *         }
         *       ],
         *       "offsets": [
         *         {
         *           "topic": "orders",
         *           "partition": 0,
         *           "committedOffset": 40,
         *           "lagRecords": 2,
         *           "lagSeconds": 1.5
         *         }
         *       ],
         *       "totalLagRecords": 2,
         *       "maxLagSeconds": 1.5
         *     }
         */
        ConsumerGroup: {
            /** @description Null in classic groups, as are the epochs of members. */
            groupEpoch: number | null;
            groupId: string;
            /** @description Maximum over all partitions. */
            maxLagSeconds: number | null;
            members: {
                /** @description The partitions that the member reads. */
                assignment: {
                    partitions: number[];
                    topic: string;
                }[];
                clientHost: string;
                clientId: string;
                groupInstanceId: string | null;
                memberEpoch: number | null;
                memberId: string;
                /** @description What it is to read once others have given it up. Null in classic groups and when it has all of it. */
                targetAssignment: {
                    partitions: number[];
                    topic: string;
                }[] | null;
            }[];
            offsets: {
                committedOffset: number;
                lagRecords: number;
                /** @description Age of the oldest unconsumed record, based on record timestamps and accurate to the agents’ flush interval. Null if records have no timestamps. */
                lagSeconds: number | null;
                partition: number;
                topic: string;
            }[];
            /** @description The assignor. */
            protocolName: string;
            protocolType: string;
            /** @description Kafka’s group state, such as Stable or Empty. */
            state: string;
            totalLagRecords: number;
            /** @description Kafka’s group type: `Classic`, or `Consumer` for the protocol of KIP-848. */
            type: string;
        };
        /**
         * @example {
         *       "topic": "greetings",
         *       "changes": [
         *         {
         *           "partition": 0,
         *           "before": 40,
         *           "after": 0,
         *           "lagRecords": 42
         *         }
         *       ],
         *       "members": 0
         *     }
         */
        ConsumerGroupResetPreview: {
            changes: {
                after: number;
                /** @description The committed offset. Null if there was none. */
                before: number | null;
                /** @description Records that are read next, up to the high watermark. */
                lagRecords: number;
                partition: number;
            }[];
            /** @description Members of the group. The reset is refused while there are any. */
            members: number;
            topic: string;
        };
        /**
         * @example {
         *       "month": "2026-11",
         *       "days": [
         *         "2026-11-01"
         *       ],
         *       "clusters": [
         *         {
         *           "clusterId": "0199e0f2-7a9b-7c3d-8e4f-5a6b7c8d9e0f",
         *           "clusterName": "orders",
         *           "costUsd": [
         *             "0.16"
         *           ],
         *           "writtenBytes": [
         *             "3476878287"
         *           ]
         *         }
         *       ],
         *       "totalUsd": "0.16",
         *       "countedUntil": "2026-11-01T23:59:00.000Z"
         *     }
         */
        CostByDay: {
            clusters: {
                clusterId: string;
                clusterName: string;
                /** @description One per day, not rounded. */
                costUsd: string[];
                writtenBytes: string[];
            }[];
            /** Format: date-time */
            countedUntil: string;
            /** @description Every day (UTC) up to today, oldest first. */
            days: string[];
            month: string;
            /**
             * @description US dollars as a decimal string.
             * @example 12.34
             */
            totalUsd: string;
        };
        CreatedAcls: {
            /** @description Includes those that existed already. */
            created: components["schemas"]["Acl"][];
            refused: {
                acl: components["schemas"]["Acl"];
                message: string;
            }[];
        };
        /**
         * @example {
         *       "agentKey": {
         *         "id": "0199e0f3-1b2c-7d3e-8f40-516273849506",
         *         "name": "production, eu-west-1",
         *         "displayPrefix": "psk_agent_a1B2",
         *         "displayLast4": "x9Y8",
         *         "createdBy": "Yk3vTq8sLm2nRb5w",
         *         "createdAt": "2026-11-02T09:30:00.000Z",
         *         "expiresAt": "2027-11-02T09:30:00.000Z",
         *         "networks": [
         *           "203.0.113.0/24"
         *         ],
         *         "addresses": [
         *           "*.agents.internal",
         *           "10.0.0.0/8"
         *         ],
         *         "scope": "agent",
         *         "lastUsedAt": "2026-11-21T15:04:00.000Z",
         *         "lastAddress": "203.0.113.7",
         *         "revokedAt": null
         *       },
         *       "plaintext": "psk_agent_…"
         *     }
         */
        CreatedAgentKey: {
            agentKey: components["schemas"]["AgentKey"];
            /** @description The secret. Returned only in this response. */
            plaintext: string;
        };
        /**
         * @example {
         *       "apiKey": {
         *         "id": "0199e0f3-1b2c-7d3e-8f40-516273849506",
         *         "name": "deployments",
         *         "role": "admin",
         *         "clusterRoles": [],
         *         "isReadOnly": false,
         *         "displayPrefix": "psk_api_a1B2",
         *         "displayLast4": "x9Y8",
         *         "createdAt": "2026-11-02T09:30:00.000Z",
         *         "expiresAt": null,
         *         "lastUsedAt": "2026-11-21T15:04:00.000Z",
         *         "revokedAt": null,
         *         "replacedById": null
         *       },
         *       "plaintext": "psk_api_…"
         *     }
         */
        CreatedApiKey: {
            apiKey: components["schemas"]["ApiKey"];
            /** @description The secret. Returned only in this response. */
            plaintext: string;
        };
        /**
         * @example {
         *       "token": {
         *         "id": "0199e0f3-1b2c-7d3e-8f40-516273849506",
         *         "displayPrefix": "psk_scim_a1B2",
         *         "displayLast4": "x9Yz",
         *         "createdAt": "2026-11-02T09:30:00.000Z",
         *         "expiresAt": "2027-11-02T09:30:00.000Z",
         *         "lastUsedAt": "2026-11-23T08:15:00.000Z",
         *         "lastErrorAt": null,
         *         "lastError": null
         *       },
         *       "plaintext": "psk_scim_a1B2c3D4e5F6g7H8i9J0k1L2m3N4x9Yz_0aBcDe"
         *     }
         */
        CreatedScimToken: {
            /** @description The secret. No other response contains it. */
            plaintext: string;
            token: components["schemas"]["ScimToken"];
        };
        /**
         * @example {
         *       "name": "greetings",
         *       "partitions": 12
         *     }
         */
        CreatedTopic: {
            name: string;
            partitions: number;
        };
        /**
         * @example {
         *       "balanceUsd": "400.00",
         *       "signUp": {
         *         "amountUsd": "400",
         *         "isGranted": true
         *       },
         *       "entries": [
         *         {
         *           "id": "0199e0f5-3d4e-7f50-8162-738495061728",
         *           "at": "2026-11-02T09:30:00.000Z",
         *           "kind": "credit_grant",
         *           "description": "Credits for new organizations",
         *           "amountUsd": "400.00",
         *           "balanceUsd": "400.00",
         *           "invoiceId": null
         *         }
         *       ]
         *     }
         */
        Credits: {
            /**
             * @description US dollars as a decimal string.
             * @example 12.34
             */
            balanceUsd: string;
            entries: {
                /**
                 * @description Positive: credits added. Negative: credits used.
                 * @example 12.34
                 */
                amountUsd: string;
                /** Format: date-time */
                at: string;
                /**
                 * @description After this entry.
                 * @example 12.34
                 */
                balanceUsd: string;
                description: string;
                id: string;
                invoiceId: string | null;
                kind: string;
            }[];
            /** @description The credits for new organizations. A person, a payment method and a company domain get them once. */
            signUp: {
                amountUsd: string;
                isGranted: boolean;
            };
        };
        DeletedAcls: {
            deleted: components["schemas"]["Acl"][];
        };
        /**
         * @description Requests of one principal for one operation on one resource that ACLs denied.
         * @example {
         *       "principal": "User:billing-service",
         *       "host": "10.0.3.17",
         *       "clientId": "billing-7",
         *       "operation": "READ",
         *       "resourceType": "TOPIC",
         *       "resourceName": "orders",
         *       "isEnforced": true,
         *       "count": 42,
         *       "firstAt": "2026-11-23T09:30:00.000Z",
         *       "lastAt": "2026-11-23T10:12:00.000Z",
         *       "allowingAcl": {
         *         "resourceType": "TOPIC",
         *         "resourceName": "orders",
         *         "patternType": "LITERAL",
         *         "principal": "User:billing-service",
         *         "host": "*",
         *         "operation": "READ",
         *         "permission": "ALLOW"
         *       },
         *       "denyingAcl": null
         *     }
         */
        DeniedRequests: {
            /** @description The narrowest ACL for all hosts that allows the requests. Null if an ACL denies them. */
            allowingAcl: components["schemas"]["Acl"] | null;
            /** @description Client ID of the client that was denied last. Can be empty. */
            clientId: string;
            count: number;
            /** @description An ACL that denies the requests. Delete it to allow them. Null if there is none. */
            denyingAcl: components["schemas"]["Acl"] | null;
            /** Format: date-time */
            firstAt: string;
            /** @description IP address of the client that was denied last. */
            host: string;
            /** @description Whether the last request was refused. False in shadow mode. */
            isEnforced: boolean;
            /** Format: date-time */
            lastAt: string;
            /** @enum {string} */
            operation: "ALL" | "READ" | "WRITE" | "CREATE" | "DELETE" | "ALTER" | "DESCRIBE" | "CLUSTER_ACTION" | "DESCRIBE_CONFIGS" | "ALTER_CONFIGS" | "IDEMPOTENT_WRITE" | "CREATE_TOKENS" | "DESCRIBE_TOKENS" | "TWO_PHASE_COMMIT";
            principal: string;
            resourceName: string;
            /** @enum {string} */
            resourceType: "TOPIC" | "GROUP" | "CLUSTER" | "TRANSACTIONAL_ID" | "DELEGATION_TOKEN" | "USER";
        };
        /**
         * @example {
         *       "workload": {
         *         "throughput": 100,
         *         "throughputUnit": "MiB/s"
         *       }
         *     }
         */
        EstimateRequest: {
            /** @description Use the prices of this day, such as 2026-11-01. */
            asOf?: string;
            assumptions?: {
                [key: string]: string | number | boolean;
            };
            pins?: {
                [key: string]: string | number | boolean;
            };
            prices?: {
                [key: string]: string | number | boolean;
            };
            workload?: {
                [key: string]: string | number | boolean;
            };
        };
        /**
         * @example {
         *       "month": "2026-11",
         *       "subtotalUsd": "4.90",
         *       "creditUsd": "0.00",
         *       "totalUsd": "4.90",
         *       "soFarUsd": "3.40",
         *       "method": "Usage so far, plus the rest of the month at the rate of the last seven days."
         *     }
         */
        Forecast: {
            /**
             * @description US dollars as a decimal string.
             * @example 12.34
             */
            creditUsd: string;
            /** @description An explanation of the figure for people. */
            method: string;
            month: string;
            /**
             * @description Before credits.
             * @example 12.34
             */
            soFarUsd: string;
            /**
             * @description Of the whole month, before credits.
             * @example 12.34
             */
            subtotalUsd: string;
            /**
             * @description US dollars as a decimal string.
             * @example 12.34
             */
            totalUsd: string;
        };
        /**
         * @example {
         *       "id": "0199e0f3-1b2c-7d3e-8f40-516273849506",
         *       "email": "lin@example.com",
         *       "role": "viewer",
         *       "clusterRoles": [],
         *       "inviterEmail": "ada@example.com",
         *       "createdAt": "2026-11-02T09:30:00.000Z",
         *       "expiresAt": "2026-11-09T09:30:00.000Z"
         *     }
         */
        Invitation: {
            /** @description Roles for single clusters, on top of `role`. */
            clusterRoles: {
                /** Format: uuid */
                clusterId: string;
                /** @enum {string} */
                role: "admin" | "operator" | "viewer";
            }[];
            /** Format: date-time */
            createdAt: string;
            email: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: uuid */
            id: string;
            inviterEmail: string;
            /** @enum {string} */
            role: "owner" | "admin" | "operator" | "billing" | "viewer" | "none";
        };
        /**
         * @example {
         *       "id": "0199e0f4-2c3d-7e4f-8051-627384950617",
         *       "number": "PS-2026-000042",
         *       "kind": "invoice",
         *       "month": "2026-10",
         *       "periodStart": "2026-10-01T00:00:00.000Z",
         *       "periodEnd": "2026-11-01T00:00:00.000Z",
         *       "status": "paid",
         *       "collection": "card",
         *       "subtotalUsd": "3.40",
         *       "creditUsd": "0.00",
         *       "totalUsd": "3.40",
         *       "amountPaidUsd": "3.40",
         *       "amountDueUsd": "0.00",
         *       "finalizedAt": "2026-11-02T00:05:00.000Z",
         *       "dueAt": "2026-11-16T00:05:00.000Z",
         *       "paidAt": "2026-11-02T00:06:00.000Z",
         *       "hostedInvoiceUrl": null,
         *       "refundedUsd": "0.00",
         *       "disputedUsd": "0.00",
         *       "isDisputeLost": false,
         *       "seal": null,
         *       "lines": [
         *         {
         *           "position": 1,
         *           "product": "writes",
         *           "clusterId": "0199e0f2-7a9b-7c3d-8e4f-5a6b7c8d9e0f",
         *           "clusterName": "orders",
         *           "mode": "standard",
         *           "tier": 1,
         *           "description": "orders: uncompressed writes",
         *           "quantity": "73014444032",
         *           "unit": "GiB",
         *           "unitPriceUsd": "0.05",
         *           "amountUsd": "3.40",
         *           "priceBookId": "2026-10",
         *           "firstHour": "2026-11-01T00:00:00.000Z",
         *           "lastHour": "2026-11-21T14:00:00.000Z"
         *         }
         *       ],
         *       "billedTo": {
         *         "name": "Acme Inc.",
         *         "address": [
         *           "1 Main St"
         *         ],
         *         "email": "bills@example.com",
         *         "taxId": null
         *       },
         *       "billedBy": {
         *         "name": "Penstock",
         *         "address": [
         *           "1 Main St"
         *         ],
         *         "email": "bills@example.com",
         *         "taxId": null
         *       },
         *       "transferDetails": [],
         *       "reason": null,
         *       "corrects": null,
         *       "creditNotes": []
         *     }
         */
        Invoice: {
            /**
             * @description US dollars as a decimal string.
             * @example 12.34
             */
            amountDueUsd: string;
            /**
             * @description US dollars as a decimal string.
             * @example 12.34
             */
            amountPaidUsd: string;
            billedBy: components["schemas"]["Party"];
            billedTo: components["schemas"]["Party"];
            /** @enum {string} */
            collection: "card" | "transfer";
            corrects: {
                /** Format: uuid */
                id: string;
                number: string;
            } | null;
            creditNotes: components["schemas"]["InvoiceSummary"][];
            /**
             * @description US dollars as a decimal string.
             * @example 12.34
             */
            creditUsd: string;
            /**
             * @description Withheld or reclaimed by a bank in a dispute.
             * @example 12.34
             */
            disputedUsd: string;
            /** Format: date-time */
            dueAt: string;
            /** Format: date-time */
            finalizedAt: string;
            hostedInvoiceUrl: string | null;
            /** Format: uuid */
            id: string;
            isDisputeLost: boolean;
            /** @enum {string} */
            kind: "invoice" | "credit_note";
            lines: components["schemas"]["InvoiceLine"][];
            month: string;
            number: string;
            paidAt: string | null;
            /**
             * Format: date-time
             * @description Exclusive.
             */
            periodEnd: string;
            /** Format: date-time */
            periodStart: string;
            reason: string | null;
            /**
             * @description US dollars as a decimal string.
             * @example 12.34
             */
            refundedUsd: string;
            /** @description SHA-256 of the invoice’s contents, in hex. */
            seal: string | null;
            /** @enum {string} */
            status: "open" | "paid" | "uncollectible" | "issued";
            /**
             * @description US dollars as a decimal string.
             * @example 12.34
             */
            subtotalUsd: string;
            /**
             * @description US dollars as a decimal string.
             * @example 12.34
             */
            totalUsd: string;
            transferDetails: string[];
        };
        /**
         * @example {
         *       "position": 1,
         *       "product": "writes",
         *       "clusterId": "0199e0f2-7a9b-7c3d-8e4f-5a6b7c8d9e0f",
         *       "clusterName": "orders",
         *       "mode": "standard",
         *       "tier": 1,
         *       "description": "orders: uncompressed writes",
         *       "quantity": "73014444032",
         *       "unit": "GiB",
         *       "unitPriceUsd": "0.05",
         *       "amountUsd": "3.40",
         *       "priceBookId": "2026-10",
         *       "firstHour": "2026-11-01T00:00:00.000Z",
         *       "lastHour": "2026-11-21T14:00:00.000Z"
         *     }
         */
        InvoiceLine: {
            /**
             * @description US dollars as a decimal string.
             * @example 12.34
             */
            amountUsd: string;
            clusterId: string | null;
            clusterName: string | null;
            description: string;
            firstHour: string | null;
            lastHour: string | null;
            mode: ("dev" | "standard" | "low-latency") | null;
            position: number;
            priceBookId: string | null;
            /** @enum {string} */
            product: "writes" | "cluster_minutes" | "credit" | "correction" | "held";
            /** @description Exact value: bytes if the unit is GiB, otherwise minutes. */
            quantity: string | null;
            tier: number | null;
            unit: ("GiB" | "minute") | null;
            unitPriceUsd: string | null;
        };
        /**
         * @example {
         *       "id": "0199e0f4-2c3d-7e4f-8051-627384950617",
         *       "number": "PS-2026-000042",
         *       "kind": "invoice",
         *       "month": "2026-10",
         *       "periodStart": "2026-10-01T00:00:00.000Z",
         *       "periodEnd": "2026-11-01T00:00:00.000Z",
         *       "status": "paid",
         *       "collection": "card",
         *       "subtotalUsd": "3.40",
         *       "creditUsd": "0.00",
         *       "totalUsd": "3.40",
         *       "amountPaidUsd": "3.40",
         *       "amountDueUsd": "0.00",
         *       "finalizedAt": "2026-11-02T00:05:00.000Z",
         *       "dueAt": "2026-11-16T00:05:00.000Z",
         *       "paidAt": "2026-11-02T00:06:00.000Z",
         *       "hostedInvoiceUrl": null
         *     }
         */
        InvoiceSummary: {
            /**
             * @description US dollars as a decimal string.
             * @example 12.34
             */
            amountDueUsd: string;
            /**
             * @description US dollars as a decimal string.
             * @example 12.34
             */
            amountPaidUsd: string;
            /** @enum {string} */
            collection: "card" | "transfer";
            /**
             * @description US dollars as a decimal string.
             * @example 12.34
             */
            creditUsd: string;
            /** Format: date-time */
            dueAt: string;
            /** Format: date-time */
            finalizedAt: string;
            hostedInvoiceUrl: string | null;
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "invoice" | "credit_note";
            month: string;
            number: string;
            paidAt: string | null;
            /**
             * Format: date-time
             * @description Exclusive.
             */
            periodEnd: string;
            /** Format: date-time */
            periodStart: string;
            /** @enum {string} */
            status: "open" | "paid" | "uncollectible" | "issued";
            /**
             * @description US dollars as a decimal string.
             * @example 12.34
             */
            subtotalUsd: string;
            /**
             * @description US dollars as a decimal string.
             * @example 12.34
             */
            totalUsd: string;
        };
        /**
         * @example {
         *       "clients": [
         *         {
         *           "clientId": "checkout",
         *           "software": [
         *             {
         *               "name": "apache-kafka-java",
         *               "version": "4.3.1"
         *             }
         *           ],
         *           "instances": 3,
         *           "lastPushedAtMs": 1795000000000,
         *           "isProducer": true,
         *           "isConsumer": false
         *         }
         *       ],
         *       "isTruncated": false,
         *       "droppedPushes": 0
         *     }
         */
        KafkaClients: {
            clients: {
                clientId: string;
                /** @description Instances that pushed within the range. At most 200 are counted. */
                instances: number;
                isConsumer: boolean;
                isProducer: boolean;
                /** @description Milliseconds since the Unix epoch. */
                lastPushedAtMs: number;
                software: {
                    name: string;
                    version: string;
                }[];
            }[];
            /** @description Pushes within the hours of the range that were dropped. A cluster keeps 8 MiB of client metrics per hour, and an agent those of 100 client IDs. Choose a longer interval in your subscriptions, or match fewer clients. */
            droppedPushes: number;
            /** @description The range holds more than one query reads. Choose a shorter range. */
            isTruncated: boolean;
        };
        /**
         * @example {
         *       "level": "10s",
         *       "startMs": 1795000000000,
         *       "stepMs": 10000,
         *       "steps": 2,
         *       "series": [
         *         {
         *           "metric": "producer.record.send.rate",
         *           "unit": "1/s",
         *           "mean": [
         *             41.5,
         *             null
         *           ],
         *           "max": [
         *             60.2,
         *             null
         *           ]
         *         }
         *       ]
         *     }
         */
        KafkaClientSeries: {
            /** @enum {string} */
            level: "10s" | "1m" | "1h";
            series: {
                /** @description The highest value of any instance. */
                max: (number | null)[];
                /** @description The mean of all instances and pushes. */
                mean: (number | null)[];
                /** @description Kafka’s name without `org.apache.kafka.` */
                metric: string;
                unit: string;
            }[];
            startMs: number;
            stepMs: number;
            steps: number;
        };
        /**
         * @example {
         *       "count": 120,
         *       "p50_ms": 4.1,
         *       "p95_ms": 9.8,
         *       "p99_ms": 14.2
         *     }
         */
        LatencyReading: {
            count: number;
            p50_ms: number;
            p95_ms: number;
            p99_ms: number;
        };
        LineOrigin: {
            hours: {
                /**
                 * @description Not rounded.
                 * @example 12.34
                 */
                amountUsd: string;
                /** Format: int64 */
                firstSeq: string;
                /** Format: date-time */
                hour: string;
                /** Format: int64 */
                lastSeq: string;
                /**
                 * Format: int64
                 * @description Bytes or minutes of this hour in the line.
                 */
                quantity: string;
            }[];
            /**
             * Format: int64
             * @description Usage of these hours that was counted after the invoice was final.
             */
            lateQuantity: string;
            line: components["schemas"]["InvoiceLine"];
        };
        /**
         * @example {
         *       "userId": "Yk3vTq8sLm2nRb5w",
         *       "name": "Ada Park",
         *       "email": "ada@example.com",
         *       "role": "admin",
         *       "clusterRoles": [],
         *       "joinedAt": "2026-11-02T09:30:00.000Z"
         *     }
         */
        Member: {
            /** @description Roles for single clusters, on top of `role`. */
            clusterRoles: {
                /** Format: uuid */
                clusterId: string;
                /** @enum {string} */
                role: "admin" | "operator" | "viewer";
            }[];
            email: string;
            /** Format: date-time */
            joinedAt: string;
            name: string;
            /** @enum {string} */
            role: "owner" | "admin" | "operator" | "billing" | "viewer" | "none";
            userId: string;
        };
        /**
         * @example {
         *       "userId": "Yk3vTq8sLm2nRb5w",
         *       "email": "ada@example.com",
         *       "role": "viewer",
         *       "clusterRoles": []
         *     }
         */
        MemberRole: {
            /** @description Roles for single clusters, on top of `role`. */
            clusterRoles: {
                /** Format: uuid */
                clusterId: string;
                /** @enum {string} */
                role: "admin" | "operator" | "viewer";
            }[];
            email: string;
            /** @enum {string} */
            role: "owner" | "admin" | "operator" | "billing" | "viewer" | "none";
            userId: string;
        };
        /**
         * @example {
         *       "accounts": [
         *         {
         *           "name": "groups",
         *           "heldBytes": 1482300,
         *           "limitBytes": 268435456
         *         },
         *         {
         *           "name": "offsets",
         *           "heldBytes": 90112,
         *           "limitBytes": 268435456
         *         }
         *       ],
         *       "refusal": null
         *     }
         */
        MetadataMemory: {
            /** @description Empty if the metadata service is of an earlier version. */
            accounts: {
                heldBytes: number;
                limitBytes: number;
                /** @description `groups`, `offsets`, `transactions`, `topics` or `producers` of this cluster, or `organization`: all clusters of the organization that share a process of the metadata service with it. */
                name: string;
            }[];
            /** @description The latest call that a limit refused. Null: there was none. */
            refusal: {
                atMs: number;
                /** @description Calls refused since the metadata service opened the cluster. */
                calls: number;
                reason: string;
            } | null;
        };
        /**
         * @description One value per step, oldest first. Null where there is no data.
         * @example {
         *       "metric": "latency.produce",
         *       "unit": "ms",
         *       "by": "none",
         *       "level": "10s",
         *       "startMs": 1795000000000,
         *       "stepMs": 10000,
         *       "steps": 2,
         *       "omittedAgents": 0,
         *       "lines": [
         *         {
         *           "group": "",
         *           "name": "p50",
         *           "values": [
         *             310.5,
         *             null
         *           ]
         *         }
         *       ],
         *       "relativeError": 0.0157
         *     }
         */
        MetricSeries: {
            /** @enum {string} */
            by: "none" | "zone" | "agent";
            /** @enum {string} */
            level: "10s" | "1m" | "1h";
            lines: {
                group: string;
                name: string;
                values: (number | null)[];
            }[];
            metric: string;
            omittedAgents: number;
            relativeError: number | null;
            startMs: number;
            stepMs: number;
            steps: number;
            unit: string;
        };
        /**
         * @example {
         *       "monthStart": "2026-11-01T00:00:00.000Z",
         *       "monthEnd": "2026-12-01T00:00:00.000Z",
         *       "uncompressedBytes": "73014444032",
         *       "storedBytes": "14602888806",
         *       "records": "61000000",
         *       "files": "182000",
         *       "clusterMinutes": 29400,
         *       "countedUntil": "2026-11-21T15:04:00.000Z"
         *     }
         */
        MonthToDateUsage: {
            /** @description Minutes in which at least one agent of the cluster was alive. */
            clusterMinutes: number;
            /** Format: date-time */
            countedUntil: string;
            /** Format: int64 */
            files: string;
            /**
             * Format: date-time
             * @description Exclusive.
             */
            monthEnd: string;
            /** Format: date-time */
            monthStart: string;
            /** Format: int64 */
            records: string;
            /** Format: int64 */
            storedBytes: string;
            /** Format: int64 */
            uncompressedBytes: string;
        };
        /**
         * @example {
         *       "id": "org_4kQz",
         *       "name": "Acme",
         *       "slug": "acme",
         *       "createdAt": "2026-11-02T09:30:00.000Z",
         *       "suspension": null
         *     }
         */
        Organization: {
            /** Format: date-time */
            createdAt: string;
            id: string;
            name: string;
            slug: string;
            /** @description Null: the organization is not suspended. */
            suspension: {
                /** @description Whether consumers can still read. */
                readsAllowed: boolean;
                reason: string;
                /** Format: date-time */
                suspendedAt: string;
            } | null;
        };
        /**
         * @example {
         *       "level": "10s",
         *       "startMs": 1795000000000,
         *       "stepMs": 10000,
         *       "steps": 2,
         *       "clusters": [
         *         {
         *           "clusterId": "0199e0f2-7a9b-7c3d-8e4f-5a6b7c8d9e0f",
         *           "name": "orders",
         *           "producedBytesPerS": [
         *             1048576,
         *             null
         *           ],
         *           "fetchedBytesPerS": [
         *             2097152,
         *             null
         *           ]
         *         }
         *       ],
         *       "omittedClusters": 0
         *     }
         */
        OrganizationThroughput: {
            clusters: {
                /** Format: uuid */
                clusterId: string;
                fetchedBytesPerS: (number | null)[];
                name: string;
                producedBytesPerS: (number | null)[];
            }[];
            /** @enum {string} */
            level: "10s" | "1m" | "1h";
            omittedClusters: number;
            startMs: number;
            stepMs: number;
            steps: number;
        };
        Partition: {
            highWatermark: number;
            logStartOffset: number;
            partition: number;
            storedBytes: number;
        };
        Party: {
            address: string[];
            email: string | null;
            name: string;
            taxId: string | null;
        };
        /**
         * @example {
         *       "month": "2026-11",
         *       "periodStart": "2026-11-01T00:00:00.000Z",
         *       "periodEnd": "2026-12-01T00:00:00.000Z",
         *       "lines": [
         *         {
         *           "position": 1,
         *           "product": "writes",
         *           "clusterId": "0199e0f2-7a9b-7c3d-8e4f-5a6b7c8d9e0f",
         *           "clusterName": "orders",
         *           "mode": "standard",
         *           "tier": 1,
         *           "description": "orders: uncompressed writes",
         *           "quantity": "73014444032",
         *           "unit": "GiB",
         *           "unitPriceUsd": "0.05",
         *           "amountUsd": "3.40",
         *           "priceBookId": "2026-10",
         *           "firstHour": "2026-11-01T00:00:00.000Z",
         *           "lastHour": "2026-11-21T14:00:00.000Z"
         *         }
         *       ],
         *       "linesBelowOneCent": 0,
         *       "subtotalUsd": "3.40",
         *       "creditUsd": "0.00",
         *       "totalUsd": "3.40",
         *       "creditBalanceUsd": "0.00",
         *       "countedUntil": "2026-11-21T15:04:00.000Z",
         *       "finalizesAt": "2026-12-02T00:00:00.000Z"
         *     }
         */
        PendingInvoice: {
            /** Format: date-time */
            countedUntil: string;
            /**
             * @description US dollars as a decimal string.
             * @example 12.34
             */
            creditBalanceUsd: string;
            /**
             * @description US dollars as a decimal string.
             * @example 12.34
             */
            creditUsd: string;
            /** Format: date-time */
            finalizesAt: string;
            lines: components["schemas"]["InvoiceLine"][];
            linesBelowOneCent: number;
            month: string;
            /** Format: date-time */
            periodEnd: string;
            /** Format: date-time */
            periodStart: string;
            /**
             * @description US dollars as a decimal string.
             * @example 12.34
             */
            subtotalUsd: string;
            /**
             * @description US dollars as a decimal string.
             * @example 12.34
             */
            totalUsd: string;
        };
        /**
         * @description Problem details (RFC 9457).
         * @example {
         *       "type": "urn:penstock:problem:cluster_name_taken",
         *       "title": "Conflict",
         *       "status": 409,
         *       "detail": "A cluster named “orders” already exists in this organization.",
         *       "code": "cluster_name_taken",
         *       "remedy": "Choose another name.",
         *       "requestId": "0199e0f5-3d4e-7f50-8162-738495061728",
         *       "errors": [
         *         {
         *           "pointer": "#/name",
         *           "detail": "A cluster named “orders” already exists in this organization."
         *         }
         *       ]
         *     }
         */
        Problem: {
            /** @description Stable. Handle errors by code, not by message. */
            code: string;
            detail: string;
            errors?: {
                detail: string;
                pointer: string;
            }[];
            remedy?: string;
            /** Format: uuid */
            requestId: string;
            status: number;
            title: string;
            type: string;
        };
        /**
         * @example {
         *       "partitions": 1,
         *       "changes": [
         *         {
         *           "partition": 0,
         *           "before": 40,
         *           "after": 0,
         *           "lagRecords": 42
         *         }
         *       ]
         *     }
         */
        ResetConsumerGroup: {
            changes: {
                after: number;
                /** @description The committed offset. Null if there was none. */
                before: number | null;
                /** @description Records that are read next, up to the high watermark. */
                lagRecords: number;
                partition: number;
            }[];
            /** @description Number of offsets that were set. */
            partitions: number;
        };
        /**
         * @example {
         *       "endpointUrl": "https://penstock.example.com/scim/v2",
         *       "tokens": [
         *         {
         *           "id": "0199e0f3-1b2c-7d3e-8f40-516273849506",
         *           "displayPrefix": "psk_scim_a1B2",
         *           "displayLast4": "x9Yz",
         *           "createdAt": "2026-11-02T09:30:00.000Z",
         *           "expiresAt": "2027-11-02T09:30:00.000Z",
         *           "lastUsedAt": "2026-11-23T08:15:00.000Z",
         *           "lastErrorAt": null,
         *           "lastError": null
         *         }
         *       ]
         *     }
         */
        Scim: {
            /** @description Enter this at your provider. */
            endpointUrl: string;
            /** @description The active tokens, newest first. */
            tokens: components["schemas"]["ScimToken"][];
        };
        /**
         * @example {
         *       "id": "0199e0f3-1b2c-7d3e-8f40-516273849506",
         *       "displayPrefix": "psk_scim_a1B2",
         *       "displayLast4": "x9Yz",
         *       "createdAt": "2026-11-02T09:30:00.000Z",
         *       "expiresAt": "2027-11-02T09:30:00.000Z",
         *       "lastUsedAt": "2026-11-23T08:15:00.000Z",
         *       "lastErrorAt": null,
         *       "lastError": null
         *     }
         */
        ScimToken: {
            /** Format: date-time */
            createdAt: string;
            displayLast4: string;
            displayPrefix: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: uuid */
            id: string;
            /** @description Why the last refused request was refused. */
            lastError: string | null;
            lastErrorAt: string | null;
            /** @description Precise to the minute. */
            lastUsedAt: string | null;
        };
        /**
         * @example {
         *       "version": 12,
         *       "superUsers": [
         *         "User:admin"
         *       ],
         *       "allowEveryoneIfNoAclFound": false,
         *       "aclMode": "enforced",
         *       "authentication": "when-credentials-exist"
         *     }
         */
        SecuritySettings: {
            /**
             * @description `shadow` checks ACLs and logs what they would deny, but allows it. `enforced` denies it.
             * @enum {string}
             */
            aclMode: "disabled" | "shadow" | "enforced";
            /** @description Whether a resource without any ACL is open to everyone, as in Kafka. */
            allowEveryoneIfNoAclFound: boolean;
            /**
             * @description Whether clients must authenticate. By default they must as soon as the cluster has a credential.
             * @enum {string}
             */
            authentication: "when-credentials-exist" | "always" | "never";
            /** @description Principals that may do everything. */
            superUsers: string[];
            /** @description Increases with each change of users, ACLs, quotas and settings. */
            version: number;
        };
        /** @description In the requested order. */
        SeveralMetricSeries: {
            /** @enum {string} */
            by: "none" | "zone" | "agent";
            /** @enum {string} */
            level: "10s" | "1m" | "1h";
            omittedAgents: number;
            series: {
                lines: {
                    group: string;
                    name: string;
                    values: (number | null)[];
                }[];
                metric: string;
                relativeError: number | null;
                unit: string;
            }[];
            startMs: number;
            stepMs: number;
            steps: number;
        };
        /**
         * @example {
         *       "id": "0199e0f3-1b2c-7d3e-8f40-516273849506",
         *       "rule": "agents.none",
         *       "reason": "We move the agents to another zone",
         *       "until": "2026-11-21T18:00:00.000Z",
         *       "createdBy": "ada@example.com",
         *       "createdAt": "2026-11-21T15:04:00.000Z"
         *     }
         */
        Silence: {
            /** Format: date-time */
            createdAt: string;
            createdBy: string;
            /** Format: uuid */
            id: string;
            reason: string;
            /** @description Null: every rule. */
            rule: string | null;
            /** Format: date-time */
            until: string;
        };
        /**
         * @example {
         *       "callbackUrl": "https://penstock.example.com/api/auth/sso/callback",
         *       "samlEntityId": "https://penstock.example.com/api/auth/sso/saml/metadata/Zy3Rk0wq5TnB8xVhL2mD1s",
         *       "samlConsumerUrl": "https://penstock.example.com/api/auth/sso/saml/acs",
         *       "connection": {
         *         "protocol": "oidc",
         *         "saml": null,
         *         "issuer": "https://login.example.com",
         *         "clientId": "penstock",
         *         "defaultRole": "viewer",
         *         "isRequired": false,
         *         "groupsClaim": "groups",
         *         "groupRoles": [
         *           {
         *             "group": "platform-engineers",
         *             "role": "admin"
         *           }
         *         ],
         *         "isGroupRequired": false,
         *         "updatedAt": "2026-11-02T09:30:00.000Z"
         *       },
         *       "domains": [
         *         {
         *           "id": "0199e0f3-1b2c-7d3e-8f40-516273849506",
         *           "domain": "example.com",
         *           "recordName": "_penstock.example.com",
         *           "recordText": "penstock-verification=Yk3vTq8sLm2nRb5wYk3vTq8sLm2nRb5w",
         *           "verifiedAt": null,
         *           "missingSince": null
         *         }
         *       ]
         *     }
         */
        Sso: {
            /** @description Register this as the redirect URI with your provider. */
            callbackUrl: string;
            connection: components["schemas"]["SsoConnection"] | null;
            domains: components["schemas"]["SsoDomain"][];
            /** @description Our SAML assertion consumer service URL. */
            samlConsumerUrl: string;
            /** @description Our SAML entity ID and audience, and the URL of our metadata. */
            samlEntityId: string;
        };
        /**
         * @example {
         *       "protocol": "oidc",
         *       "saml": null,
         *       "issuer": "https://login.example.com",
         *       "clientId": "penstock",
         *       "defaultRole": "viewer",
         *       "isRequired": false,
         *       "groupsClaim": "groups",
         *       "groupRoles": [
         *         {
         *           "group": "platform-engineers",
         *           "role": "admin"
         *         }
         *       ],
         *       "isGroupRequired": false,
         *       "updatedAt": "2026-11-02T09:30:00.000Z"
         *     }
         */
        SsoConnection: {
            /** @description Empty for SAML. */
            clientId: string;
            /** @enum {string} */
            defaultRole: "viewer" | "billing" | "operator" | "admin";
            /** @description The first group that a person is in decides their role, at each sign-in. */
            groupRoles: {
                group: string;
                /** @enum {string} */
                role: "viewer" | "billing" | "operator" | "admin";
            }[];
            /** @description The claim that lists a person’s groups. */
            groupsClaim: string;
            /** @description Whether people who are in none of these groups are refused. */
            isGroupRequired: boolean;
            isRequired: boolean;
            /** @description For SAML, the entity ID of the provider. */
            issuer: string;
            /** @enum {string} */
            protocol: "oidc" | "saml";
            /** @description What the provider’s SAML metadata says; null for OpenID Connect. */
            saml: {
                certificates: {
                    /** Format: date-time */
                    expiresAt: string;
                    /** @description SHA-256. */
                    fingerprint: string;
                }[];
                signOnUrl: string;
            } | null;
            /** Format: date-time */
            updatedAt: string;
        };
        /**
         * @example {
         *       "id": "0199e0f3-1b2c-7d3e-8f40-516273849506",
         *       "domain": "example.com",
         *       "recordName": "_penstock.example.com",
         *       "recordText": "penstock-verification=Yk3vTq8sLm2nRb5wYk3vTq8sLm2nRb5w",
         *       "verifiedAt": null,
         *       "missingSince": null
         *     }
         */
        SsoDomain: {
            domain: string;
            /** Format: uuid */
            id: string;
            /** @description When the TXT record of a verified domain was first missing. The domain loses its verification after 7 days. */
            missingSince: string | null;
            /** @description Name of the TXT record that verifies the domain. */
            recordName: string;
            /** @description Value of the TXT record. */
            recordText: string;
            verifiedAt: string | null;
        };
        /**
         * @example {
         *       "topicId": "0199e0f2-7a9b-7c3d-8e4f-5a6b7c8d9e0f",
         *       "name": "greetings",
         *       "createdAtMs": 1795000000000,
         *       "configs": [
         *         {
         *           "name": "retention.ms",
         *           "value": "604800000"
         *         }
         *       ],
         *       "partitions": [
         *         {
         *           "partition": 0,
         *           "logStartOffset": 0,
         *           "highWatermark": 42,
         *           "storedBytes": 4096
         *         }
         *       ],
         *       "records": 42,
         *       "storedBytes": 4096
         *     }
         */
        Topic: {
            configs: {
                name: string;
                value: string;
            }[];
            /** @description Milliseconds since the Unix epoch. */
            createdAtMs: number;
            name: string;
            partitions: components["schemas"]["Partition"][];
            /** @description Records that can still be read. */
            records: number;
            storedBytes: number;
            /** Format: uuid */
            topicId: string;
        };
        /**
         * @example {
         *       "name": "segment.index.bytes",
         *       "value": "10485760",
         *       "isSet": false,
         *       "default": "10485760",
         *       "hasEffect": false,
         *       "meaning": "Has no effect: there are no segments."
         *     }
         */
        TopicConfig: {
            default: string;
            /** @description False for configs that are kept and shown, and change nothing. */
            hasEffect: boolean;
            /** @description Whether the value is set on the topic. If not, it is the default. */
            isSet: boolean;
            meaning: string;
            name: string;
            /** @description The value in effect. */
            value: string;
        };
        /**
         * @example {
         *       "groupId": "billing",
         *       "type": "Classic",
         *       "state": "Stable",
         *       "members": 2,
         *       "partitions": 12,
         *       "lagRecords": 2,
         *       "lagSeconds": 1.5
         *     }
         */
        TopicConsumer: {
            groupId: string;
            lagRecords: number;
            lagSeconds: number | null;
            /** @description Members that read a partition of the topic. */
            members: number;
            /** @description Partitions of the topic with a committed offset. */
            partitions: number;
            state: string;
            /** @description Kafka’s group type: `Classic`, or `Consumer` for the protocol of KIP-848. */
            type: string;
        };
        /**
         * @example {
         *       "transactionalId": "billing-1",
         *       "state": "Ongoing",
         *       "producerId": 1000,
         *       "producerEpoch": 3,
         *       "timeoutMs": 60000,
         *       "startedAtMs": 1795000000000,
         *       "openMs": 4200,
         *       "updatedAtMs": 1795000000000,
         *       "partitions": [
         *         {
         *           "topic": "invoices",
         *           "partition": 0
         *         }
         *       ],
         *       "groupIds": [
         *         "billing"
         *       ],
         *       "clientId": "billing-service",
         *       "agentId": "agent-1"
         *     }
         */
        Transaction: {
            agentId: string;
            clientId: string;
            /** @description Groups whose offsets the open transaction commits. */
            groupIds: string[];
            /** @description How long the transaction has been open. */
            openMs: number | null;
            /** @description Of the open transaction. */
            partitions: {
                partition: number;
                topic: string;
            }[];
            producerEpoch: number;
            producerId: number;
            /** @description Milliseconds since the Unix epoch. Null unless a transaction is open. */
            startedAtMs: number | null;
            /** @description Kafka’s state: Ongoing, Empty, CompleteCommit or CompleteAbort. */
            state: string;
            /** @description A transaction that is open for longer is aborted. */
            timeoutMs: number;
            transactionalId: string;
            /** @description When the producer was initialized, or its last transaction began or ended. */
            updatedAtMs: number;
        };
        /**
         * @example {
         *       "id": "0199e0f2-7a9b-7c3d-8e4f-5a6b7c8d9e0f",
         *       "name": "orders",
         *       "cloud": "aws",
         *       "region": "eu-central-1",
         *       "mode": "low-latency",
         *       "autoCreateTopics": true,
         *       "defaultPartitions": 12,
         *       "offsetsRetentionMinutes": 10080,
         *       "maxUncompressedBatchBytes": 67108864,
         *       "deletionProtection": false,
         *       "confirmAgentAddresses": true,
         *       "confirmAgentAddressesFrom": "2026-11-03T09:35:00.000Z",
         *       "allowAgentAdministration": false,
         *       "createdAt": "2026-11-02T09:30:00.000Z",
         *       "deletedAt": null,
         *       "purgeAt": null,
         *       "warning": "No running agent has reported landing buckets. Set --landing-bucket on all agents first. Until then, agents write to the standard bucket."
         *     }
         */
        UpdatedCluster: {
            /** @description Whether agents may change users, ACLs and quotas for Kafka clients that did not sign in with SCRAM. Without it, such clients are refused, so a stolen agent key can’t change them. */
            allowAgentAdministration: boolean;
            autoCreateTopics: boolean;
            cloud: string;
            /** @description Whether agents with an address that is new to the cluster wait for a confirmation. */
            confirmAgentAddresses: boolean;
            /** @description From when on. Until then, addresses are learned. Null: a day after the first agent registers. */
            confirmAgentAddressesFrom: string | null;
            /** Format: date-time */
            createdAt: string;
            defaultPartitions: number;
            deletedAt: string | null;
            deletionProtection: boolean;
            /** Format: uuid */
            id: string;
            /** @description What a compressed batch may decompress to, in bytes, in topics that don’t set `max.uncompressed.batch.bytes`. */
            maxUncompressedBatchBytes: number;
            /**
             * @description Decides what a cluster-minute costs, and which limits apply. `GET /cluster-modes` lists both.
             * @enum {string}
             */
            mode: "dev" | "standard" | "low-latency";
            name: string;
            /** @description How long committed offsets are kept after their last use. Kafka’s `offsets.retention.minutes`. */
            offsetsRetentionMinutes: number;
            /** @description When a deleted cluster is permanently deleted. Null if the cluster isn’t deleted. */
            purgeAt: string | null;
            region: string;
            /** @description What clients notice of the `mode` in the request. Null: nothing, or the request has no `mode`, or it couldn’t be checked. */
            warning: string | null;
        };
        /**
         * @example {
         *       "url": "https://hooks.example.com/penstock"
         *     }
         */
        Webhook: {
            /** @description Signs deliveries. Returned only when it is created. */
            secret?: string;
            url: string | null;
        };
        /**
         * @example {
         *       "id": "0199e0f5-3d4e-7f50-8162-738495061728",
         *       "event": "webhook.test",
         *       "createdAt": "2026-11-21T15:04:00.000Z",
         *       "state": "delivered",
         *       "attempts": 1,
         *       "lastError": null
         *     }
         */
        WebhookDelivery: {
            attempts: number;
            /** Format: date-time */
            createdAt: string;
            event: string;
            id: string;
            lastError: string | null;
            /** @enum {string} */
            state: "waiting" | "delivered" | "given up";
        };
        /**
         * @example {
         *       "deliveryId": "0199e0f5-3d4e-7f50-8162-738495061728"
         *     }
         */
        WebhookTest: {
            deliveryId: string;
        };
    };
    responses: {
        /** @description Bad request */
        Problem400: {
            headers: {
                /** @description The remaining quota and the number of seconds until it resets. */
                RateLimit?: string;
                /** @description The quota and its window in seconds. */
                "RateLimit-Policy"?: string;
                /** @description Include it when you contact support. */
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Unauthorized */
        Problem401: {
            headers: {
                /** @description The remaining quota and the number of seconds until it resets. */
                RateLimit?: string;
                /** @description The quota and its window in seconds. */
                "RateLimit-Policy"?: string;
                /** @description Include it when you contact support. */
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Forbidden */
        Problem403: {
            headers: {
                /** @description The remaining quota and the number of seconds until it resets. */
                RateLimit?: string;
                /** @description The quota and its window in seconds. */
                "RateLimit-Policy"?: string;
                /** @description Include it when you contact support. */
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Not found */
        Problem404: {
            headers: {
                /** @description The remaining quota and the number of seconds until it resets. */
                RateLimit?: string;
                /** @description The quota and its window in seconds. */
                "RateLimit-Policy"?: string;
                /** @description Include it when you contact support. */
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Conflict */
        Problem409: {
            headers: {
                /** @description The remaining quota and the number of seconds until it resets. */
                RateLimit?: string;
                /** @description The quota and its window in seconds. */
                "RateLimit-Policy"?: string;
                /** @description Include it when you contact support. */
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Precondition failed */
        Problem412: {
            headers: {
                /** @description The remaining quota and the number of seconds until it resets. */
                RateLimit?: string;
                /** @description The quota and its window in seconds. */
                "RateLimit-Policy"?: string;
                /** @description Include it when you contact support. */
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Content too large */
        Problem413: {
            headers: {
                /** @description The remaining quota and the number of seconds until it resets. */
                RateLimit?: string;
                /** @description The quota and its window in seconds. */
                "RateLimit-Policy"?: string;
                /** @description Include it when you contact support. */
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Unsupported media type */
        Problem415: {
            headers: {
                /** @description The remaining quota and the number of seconds until it resets. */
                RateLimit?: string;
                /** @description The quota and its window in seconds. */
                "RateLimit-Policy"?: string;
                /** @description Include it when you contact support. */
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Unprocessable content */
        Problem422: {
            headers: {
                /** @description The remaining quota and the number of seconds until it resets. */
                RateLimit?: string;
                /** @description The quota and its window in seconds. */
                "RateLimit-Policy"?: string;
                /** @description Include it when you contact support. */
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too many requests */
        Problem429: {
            headers: {
                /** @description The remaining quota and the number of seconds until it resets. */
                RateLimit?: string;
                /** @description The quota and its window in seconds. */
                "RateLimit-Policy"?: string;
                /** @description Include it when you contact support. */
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Service unavailable */
        Problem503: {
            headers: {
                /** @description The remaining quota and the number of seconds until it resets. */
                RateLimit?: string;
                /** @description The quota and its window in seconds. */
                "RateLimit-Policy"?: string;
                /** @description Include it when you contact support. */
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    revokeAgentKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentKeyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentKey"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    updateAgentKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentKeyId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "networks": [
                 *         "203.0.113.0/24"
                 *       ],
                 *       "addresses": [
                 *         "*.agents.internal",
                 *         "10.0.0.0/8"
                 *       ]
                 *     }
                 */
                "application/json": {
                    addresses?: ((string) | string)[];
                    lifetimeDays?: number | null;
                    name?: string;
                    networks?: (string)[];
                    /** @enum {string} */
                    scope?: "agent" | "jobs" | "read_only";
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentKey"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    chooseAlertRecipient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "isTold": true
                 *     }
                 */
                "application/json": {
                    isTold: boolean;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertChoice"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ApiKey"][];
                        /** @description Pass it as `cursor` to get the next page. Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for each request. Repeating a request with the same key and input within 24 hours returns the original result. The same key with a different input is rejected. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "deployments",
                 *       "role": "admin",
                 *       "isReadOnly": false,
                 *       "lifetimeDays": 90
                 *     }
                 */
                "application/json": {
                    /** @default [] */
                    clusterRoles?: {
                        /** Format: uuid */
                        clusterId: string;
                        /** @enum {string} */
                        role: "admin" | "operator" | "viewer";
                    }[];
                    /** @default false */
                    isReadOnly?: boolean;
                    /** @default null */
                    lifetimeDays?: number | null;
                    name: string;
                    /** @enum {string} */
                    role: "owner" | "admin" | "operator" | "billing" | "viewer" | "none";
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                apiKeyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for each request. Repeating a request with the same key and input within 24 hours returns the original result. The same key with a different input is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                apiKeyId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "overlapHours": 24
                 *     }
                 */
                "application/json": {
                    /** @default 24 */
                    overlapHours?: number;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    getCurrentApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                /** @description An action such as `cluster.rename`, or `cluster` for all actions on clusters. */
                action?: string;
                /** @description Part of the actor’s name or email address, or the exact actor ID. */
                actor?: string;
                cursor?: string;
                /** @description Start time, inclusive (RFC 3339). */
                from?: string;
                limit?: number;
                /** @description Where the change came from. */
                source?: "web" | "api" | "kafka" | "worker" | "seed";
                /** @description Exact ID of the changed object. */
                target?: string;
                /** @description Type of the changed object, such as `cluster`. */
                targetType?: string;
                /** @description End time, exclusive (RFC 3339). */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["AuditRow"][];
                        /** @description Pass it as `cursor` to get the next page. Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    exportAuditLog: {
        parameters: {
            query?: {
                /** @description An action such as `cluster.rename`, or `cluster` for all actions on clusters. */
                action?: string;
                /** @description Part of the actor’s name or email address, or the exact actor ID. */
                actor?: string;
                /** @description `ndjson` for one JSON object per line, or `csv` (RFC 4180). */
                format?: "ndjson" | "csv";
                /** @description Start time, inclusive (RFC 3339). */
                from?: string;
                /** @description Where the change came from. */
                source?: "web" | "api" | "kafka" | "worker" | "seed";
                /** @description Exact ID of the changed object. */
                target?: string;
                /** @description Type of the changed object, such as `cluster`. */
                targetType?: string;
                /** @description End time, exclusive (RFC 3339). */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, streamed */
            200: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    getBillingAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingAccount"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    getBudget: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Budget"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    updateBudget: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the object that you read. If the object has changed since, the request fails with 412. */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "budgetUsd": "250.00",
                 *       "capUsd": "1000.00"
                 *     }
                 */
                "application/json": {
                    budgetUsd?: string | null;
                    capUsd?: string | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Budget"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    getCostByDay: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CostByDay"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    getCredits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Credits"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    getBillingDetails: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingDetails"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    updateBillingDetails: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the object that you read. If the object has changed since, the request fails with 412. */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "legalName": "Acme GmbH",
                 *       "addressLine1": "Hauptstr. 1",
                 *       "addressLine2": null,
                 *       "city": "Berlin",
                 *       "state": null,
                 *       "postalCode": "10115",
                 *       "country": "DE",
                 *       "taxIdType": "eu_vat",
                 *       "taxId": "DE123456789",
                 *       "billingEmail": "bills@example.com"
                 *     }
                 */
                "application/json": {
                    addressLine1: string | null;
                    addressLine2: string | null;
                    billingEmail: ("" | string) | null;
                    city: string | null;
                    country: string | null;
                    legalName: string | null;
                    postalCode: string | null;
                    state: string | null;
                    taxId: string | null;
                    taxIdType: string | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingDetails"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    getForecast: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forecast"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    listClusterModes: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ClusterMode"][];
                        /** @description Pass it as `cursor` to get the next page. Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    listClusters: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Cluster"][];
                        /** @description Pass it as `cursor` to get the next page. Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    createCluster: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for each request. Repeating a request with the same key and input within 24 hours returns the original result. The same key with a different input is rejected. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "orders",
                 *       "cloud": "aws",
                 *       "region": "eu-central-1"
                 *     }
                 */
                "application/json": {
                    /** @default true */
                    autoCreateTopics?: boolean;
                    /** @enum {string} */
                    cloud: "aws" | "gcp" | "azure" | "other";
                    /** @default 12 */
                    defaultPartitions?: number;
                    /** @default false */
                    deletionProtection?: boolean;
                    /**
                     * @default standard
                     * @enum {string}
                     */
                    mode?: "dev" | "standard" | "low-latency";
                    name: string;
                    region: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cluster"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    getCluster: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cluster"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteCluster: {
        parameters: {
            query: {
                confirmation: string;
            };
            header?: {
                /** @description The ETag of the object that you read. If the object has changed since, the request fails with 412. */
                "If-Match"?: string;
            };
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cluster"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    renameCluster: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the object that you read. If the object has changed since, the request fails with 412. */
                "If-Match"?: string;
            };
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "orders-eu"
                 *     }
                 */
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cluster"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    getAccessSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecuritySettings"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    updateAccessSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "aclMode": "enforced",
                 *       "superUsers": [
                 *         "User:admin"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    aclMode?: "disabled" | "shadow" | "enforced";
                    allowEveryoneIfNoAclFound?: boolean;
                    /** @enum {string} */
                    authentication?: "when-credentials-exist" | "always" | "never";
                    expectedVersion?: number;
                    superUsers?: string[];
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecuritySettings"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    listAcls: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Acl"][];
                        /** @description Pass it as `cursor` to get the next page. Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    createAcls: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for each request. Repeating a request with the same key and input within 24 hours returns the original result. The same key with a different input is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "acls": [
                 *         {
                 *           "resourceType": "TOPIC",
                 *           "resourceName": "orders-",
                 *           "patternType": "PREFIXED",
                 *           "principal": "User:billing-service",
                 *           "operation": "READ"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    acls: {
                        /** @default * */
                        host?: string;
                        /** @enum {string} */
                        operation: "ALL" | "READ" | "WRITE" | "CREATE" | "DELETE" | "ALTER" | "DESCRIBE" | "CLUSTER_ACTION" | "DESCRIBE_CONFIGS" | "ALTER_CONFIGS" | "IDEMPOTENT_WRITE" | "CREATE_TOKENS" | "DESCRIBE_TOKENS" | "TWO_PHASE_COMMIT";
                        /**
                         * @default LITERAL
                         * @enum {string}
                         */
                        patternType?: "LITERAL" | "PREFIXED";
                        /**
                         * @default ALLOW
                         * @enum {string}
                         */
                        permission?: "ALLOW" | "DENY";
                        principal: string;
                        resourceName: string;
                        /** @enum {string} */
                        resourceType: "TOPIC" | "GROUP" | "CLUSTER" | "TRANSACTIONAL_ID" | "DELEGATION_TOKEN" | "USER";
                    }[];
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedAcls"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteAcls: {
        parameters: {
            query?: {
                host?: string;
                operation?: "ALL" | "READ" | "WRITE" | "CREATE" | "DELETE" | "ALTER" | "DESCRIBE" | "CLUSTER_ACTION" | "DESCRIBE_CONFIGS" | "ALTER_CONFIGS" | "IDEMPOTENT_WRITE" | "CREATE_TOKENS" | "DESCRIBE_TOKENS" | "TWO_PHASE_COMMIT";
                patternType?: "LITERAL" | "PREFIXED" | "MATCH";
                permission?: "ALLOW" | "DENY";
                principal?: string;
                resourceName?: string;
                resourceType?: "TOPIC" | "GROUP" | "CLUSTER" | "TRANSACTIONAL_ID" | "DELEGATION_TOKEN" | "USER";
            };
            header?: never;
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedAcls"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    listAgentAddresses: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["AgentAddress"][];
                        /** @description Pass it as `cursor` to get the next page. Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    confirmAgentAddress: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for each request. Repeating a request with the same key and input within 24 hours returns the original result. The same key with a different input is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "host": "agent-1.agents.internal"
                 *     }
                 */
                "application/json": {
                    host: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentAddress"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    removeAgentAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                clusterId: string;
                host: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentAddress"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    listAgentKeys: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["AgentKey"][];
                        /** @description Pass it as `cursor` to get the next page. Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    createAgentKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for each request. Repeating a request with the same key and input within 24 hours returns the original result. The same key with a different input is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "production, eu-west-1",
                 *       "lifetimeDays": 365,
                 *       "addresses": [
                 *         "*.agents.internal"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @default [] */
                    addresses?: ((string) | string)[];
                    /** @default null */
                    lifetimeDays?: number | null;
                    name: string;
                    /** @default [] */
                    networks?: (string)[];
                    /**
                     * @default agent
                     * @enum {string}
                     */
                    scope?: "agent" | "jobs" | "read_only";
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedAgentKey"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    listAgentReadings: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
                limit?: number;
                stages?: ("produce" | "produce_buffer" | "produce_put" | "produce_commit" | "fetch" | "fetch_metadata" | "fetch_cache" | "fetch_get" | "end_to_end")[];
            };
            header?: never;
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["AgentReading"][];
                        /** @description Pass it as `cursor` to get the next page. Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    listAgents: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Agent"][];
                        /** @description Pass it as `cursor` to get the next page. Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    getAgentDiagnosis: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentDiagnosis"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    getAlertRecipients: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertRecipients"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    configureCluster: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the object that you read. If the object has changed since, the request fails with 412. */
                "If-Match"?: string;
            };
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "defaultPartitions": 24,
                 *       "deletionProtection": true
                 *     }
                 */
                "application/json": {
                    allowAgentAdministration?: boolean;
                    autoCreateTopics?: boolean;
                    confirmAgentAddresses?: boolean;
                    defaultPartitions?: number;
                    deletionProtection?: boolean;
                    maxUncompressedBatchBytes?: number;
                    /** @enum {string} */
                    mode?: "dev" | "standard" | "low-latency";
                    offsetsRetentionMinutes?: number;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdatedCluster"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    listConsumerGroups: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ConsumerGroup"][];
                        /** @description Pass it as `cursor` to get the next page. Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    getConsumerGroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                clusterId: string;
                groupId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsumerGroup"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteConsumerGroup: {
        parameters: {
            query: {
                confirmation: string;
            };
            header?: never;
            path: {
                clusterId: string;
                groupId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    resetConsumerGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for each request. Repeating a request with the same key and input within 24 hours returns the original result. The same key with a different input is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                clusterId: string;
                groupId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "topic": "greetings",
                 *       "to": "earliest"
                 *     }
                 */
                "application/json": {
                    offset?: number;
                    partition?: number;
                    shiftBy?: number;
                    timeMs?: number;
                    /** @enum {string} */
                    to: "earliest" | "latest" | "time" | "offset" | "shift";
                    topic: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResetConsumerGroup"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    previewConsumerGroupReset: {
        parameters: {
            query: {
                offset?: number;
                partition?: number;
                shiftBy?: number;
                timeMs?: number;
                to: "earliest" | "latest" | "time" | "offset" | "shift";
                topic: string;
            };
            header?: never;
            path: {
                clusterId: string;
                groupId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsumerGroupResetPreview"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    listDeniedRequests: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["DeniedRequests"][];
                        /** @description Pass it as `cursor` to get the next page. Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    listClusterEvents: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                subject?: string;
            };
            header?: never;
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ClusterEvent"][];
                        /** @description Pass it as `cursor` to get the next page. Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    getClusterHealth: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClusterHealth"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    getKafkaClientSeries: {
        parameters: {
            query: {
                clientId: string;
                fromMs: number;
                maxPoints?: number;
                toMs: number;
            };
            header?: never;
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KafkaClientSeries"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    listKafkaClients: {
        parameters: {
            query: {
                fromMs: number;
                toMs: number;
            };
            header?: never;
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KafkaClients"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    getMetadataMemory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MetadataMemory"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    getClusterMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/openmetrics-text; version=1.0.0; charset=utf-8": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    previewClusterModes: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ClusterModePreview"][];
                        /** @description Pass it as `cursor` to get the next page. Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    listClientQuotas: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ClientQuota"][];
                        /** @description Pass it as `cursor` to get the next page. Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    setClientQuota: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for each request. Repeating a request with the same key and input within 24 hours returns the original result. The same key with a different input is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "user": "billing-service",
                 *       "producerByteRate": 10485760
                 *     }
                 */
                "application/json": {
                    clientId?: string;
                    consumerByteRate?: number | null;
                    producerByteRate?: number | null;
                    requestPercentage?: number | null;
                    user?: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClientQuota"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    restoreCluster: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for each request. Repeating a request with the same key and input within 24 hours returns the original result. The same key with a different input is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cluster"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    getMetricSeries: {
        parameters: {
            query: {
                agentIds?: string[];
                by?: "none" | "zone" | "agent";
                fromMs: number;
                maxPoints?: number;
                metric: "latency.produce" | "latency.produce_buffer" | "latency.produce_put" | "latency.produce_commit" | "latency.fetch" | "latency.fetch_metadata" | "latency.fetch_cache" | "latency.fetch_get" | "latency.end_to_end" | "rate.produced_bytes" | "rate.produced_uncompressed_bytes" | "rate.produced_records" | "rate.fetched_bytes" | "rate.fetched_records" | "rate.object_puts" | "rate.object_put_bytes" | "rate.object_put_errors" | "rate.object_gets" | "rate.object_get_bytes" | "rate.object_get_errors" | "rate.object_deletes" | "rate.cache_hits" | "rate.cache_misses" | "rate.cpu_us" | "rate.connections_opened" | "rate.connections_refused" | "rate.throttled_us" | "rate.refused_requests" | "rate.metadata_errors" | "rate.timestamps_ahead" | "rate.lost_reports" | "rate.jobs_done" | "rate.jobs_failed" | "rate.job_puts" | "rate.job_written_bytes" | "rate.job_gets" | "rate.job_read_bytes" | "rate.job_cpu_us" | "rate.early_files" | "rate.early_requests" | "rate.early_saved_us" | "rate.landing_puts" | "rate.landing_put_bytes" | "rate.landing_put_errors" | "rate.landing_gets" | "rate.landing_misses" | "rate.landing_fallbacks" | "rate.landing_get_errors" | "gauge.open_connections" | "gauge.resident_kib" | "gauge.cache_kib" | "gauge.in_flight_kib" | "gauge.files_in_flight" | "gauge.waiting_reports" | "gauge.clock_offset_ms" | "gauge.saved_puts" | "gauge.saved_landing_puts" | "requests" | "errors" | "cache_hit_ratio" | "cpu_cores" | "job_cpu_cores" | "throttled_share" | "early_saved_ms";
                toMs: number;
            };
            header?: never;
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MetricSeries"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    getSeveralMetricSeries: {
        parameters: {
            query: {
                agentIds?: string[];
                by?: "none" | "zone" | "agent";
                fromMs: number;
                maxPoints?: number;
                metrics: ("latency.produce" | "latency.produce_buffer" | "latency.produce_put" | "latency.produce_commit" | "latency.fetch" | "latency.fetch_metadata" | "latency.fetch_cache" | "latency.fetch_get" | "latency.end_to_end" | "rate.produced_bytes" | "rate.produced_uncompressed_bytes" | "rate.produced_records" | "rate.fetched_bytes" | "rate.fetched_records" | "rate.object_puts" | "rate.object_put_bytes" | "rate.object_put_errors" | "rate.object_gets" | "rate.object_get_bytes" | "rate.object_get_errors" | "rate.object_deletes" | "rate.cache_hits" | "rate.cache_misses" | "rate.cpu_us" | "rate.connections_opened" | "rate.connections_refused" | "rate.throttled_us" | "rate.refused_requests" | "rate.metadata_errors" | "rate.timestamps_ahead" | "rate.lost_reports" | "rate.jobs_done" | "rate.jobs_failed" | "rate.job_puts" | "rate.job_written_bytes" | "rate.job_gets" | "rate.job_read_bytes" | "rate.job_cpu_us" | "rate.early_files" | "rate.early_requests" | "rate.early_saved_us" | "rate.landing_puts" | "rate.landing_put_bytes" | "rate.landing_put_errors" | "rate.landing_gets" | "rate.landing_misses" | "rate.landing_fallbacks" | "rate.landing_get_errors" | "gauge.open_connections" | "gauge.resident_kib" | "gauge.cache_kib" | "gauge.in_flight_kib" | "gauge.files_in_flight" | "gauge.waiting_reports" | "gauge.clock_offset_ms" | "gauge.saved_puts" | "gauge.saved_landing_puts" | "requests" | "errors" | "cache_hit_ratio" | "cpu_cores" | "job_cpu_cores" | "throttled_share" | "early_saved_ms")[];
                toMs: number;
            };
            header?: never;
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SeveralMetricSeries"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    listSilences: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Silence"][];
                        /** @description Pass it as `cursor` to get the next page. Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    createSilence: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for each request. Repeating a request with the same key and input within 24 hours returns the original result. The same key with a different input is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "rule": null,
                 *       "until": "2026-11-22T06:00:00Z",
                 *       "reason": "Maintenance tonight"
                 *     }
                 */
                "application/json": {
                    reason: string;
                    rule: ("agents.none" | "zone.without-agent" | "metadata.unreachable" | "metadata.stopped" | "object-store.failing" | "bucket.permission" | "bucket.lifecycle-rule" | "landing.fallback" | "landing.failing" | "produce.errors" | "fetch.errors" | "commit.errors" | "latency.put-above-usual" | "latency.commit-above-usual" | "consumers.stopped" | "lag.growing" | "agent.version-unsupported" | "agent.clock-skew" | "agent.no-landing-buckets" | "metering.impossible" | "metering.unusual" | "jobs.not-ordered" | "metadata.memory") | null;
                    /**
                     * Format: date-time
                     * @description RFC 3339, within the next 30 days.
                     */
                    until: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Silence"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    listTopics: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Topic"][];
                        /** @description Pass it as `cursor` to get the next page. Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    createTopic: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for each request. Repeating a request with the same key and input within 24 hours returns the original result. The same key with a different input is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "greetings",
                 *       "partitions": 12
                 *     }
                 */
                "application/json": {
                    name: string;
                    /** @default -1 */
                    partitions?: number;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedTopic"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    getTopic: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                clusterId: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Topic"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteTopic: {
        parameters: {
            query: {
                confirmation: string;
            };
            header?: never;
            path: {
                clusterId: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    createBrowseToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for each request. Repeating a request with the same key and input within 24 hours returns the original result. The same key with a different input is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                clusterId: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowseToken"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    listTopicConfigs: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                clusterId: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["TopicConfig"][];
                        /** @description Pass it as `cursor` to get the next page. Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    configureTopic: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                clusterId: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "configs": {
                 *         "retention.ms": "604800000"
                 *       }
                 *     }
                 */
                "application/json": {
                    configs: {
                        /** @description What happens to old records. 'delete': they go by retention.ms and retention.bytes. 'compact': the latest record of each key stays, and records without a key are refused. Both can be set together. */
                        "cleanup.policy"?: string | null;
                        /** @description Has no effect: batches stay as the producer compressed them. In Kafka: the level at which brokers compress with gzip. */
                        "compression.gzip.level"?: string | null;
                        /** @description Has no effect: batches stay as the producer compressed them. In Kafka: the level at which brokers compress with lz4. */
                        "compression.lz4.level"?: string | null;
                        /** @description Has no effect: batches stay as the producer compressed them. In Kafka: the compression of batches on disk; 'producer' leaves them as they came. */
                        "compression.type"?: string | null;
                        /** @description Has no effect: batches stay as the producer compressed them. In Kafka: the level at which brokers compress with zstd. */
                        "compression.zstd.level"?: string | null;
                        /** @description How long a compacted topic keeps a tombstone (a record without a value) after the first cleaning that finds it, in milliseconds. The next cleaning removes it. */
                        "delete.retention.ms"?: string | null;
                        /** @description Has no effect: there are no segments. In Kafka: how long a deleted segment stays on disk, in milliseconds. */
                        "file.delete.delay.ms"?: string | null;
                        /** @description Has no effect: a record is durable when it is acknowledged. In Kafka: after how many records a log is flushed to disk. */
                        "flush.messages"?: string | null;
                        /** @description Has no effect: a record is durable when it is acknowledged. In Kafka: after how many milliseconds a log is flushed to disk. */
                        "flush.ms"?: string | null;
                        /** @description Has no effect: there are no replicas. In Kafka: the replicas whose followers are throttled. */
                        "follower.replication.throttled.replicas"?: string | null;
                        /** @description Has no effect: there are no segments. In Kafka: after how many bytes of records the index of a segment gets an entry. */
                        "index.interval.bytes"?: string | null;
                        /** @description Has no effect: there are no replicas. In Kafka: the replicas whose leaders are throttled. */
                        "leader.replication.throttled.replicas"?: string | null;
                        /** @description Has no effect: all records are in object storage. In Kafka: the most that stays on a broker's disk with tiered storage, in bytes. */
                        "local.retention.bytes"?: string | null;
                        /** @description Has no effect: all records are in object storage. In Kafka: how long records stay on a broker's disk with tiered storage, in milliseconds. */
                        "local.retention.ms"?: string | null;
                        /** @description Compacted topics only: once its oldest dirty record is older than this, in milliseconds, a partition is cleaned even if little of it is dirty. */
                        "max.compaction.lag.ms"?: string | null;
                        /** @description The largest batch that is accepted, in bytes, after compression. */
                        "max.message.bytes"?: string | null;
                        /** @description The largest size that a compressed batch may decompress to, in bytes without its header. Batches that compression doesn't shrink are limited by max.message.bytes alone. Topics without it use their cluster's default, which you change in the cluster's settings or as the default of all brokers: 64 MiB, or 1 GiB in clusters created before this config existed. Kafka has no such config, so its tools list it only where it is set, or when they ask for it by name. */
                        "max.uncompressed.batch.bytes"?: string | null;
                        /** @description Records whose timestamps are further in the future than this, in milliseconds, are refused. Not with LogAppendTime. */
                        "message.timestamp.after.max.ms"?: string | null;
                        /** @description Records whose timestamps are further in the past than this, in milliseconds, are refused. Not with LogAppendTime. */
                        "message.timestamp.before.max.ms"?: string | null;
                        /** @description CreateTime: records keep their producers' timestamps. LogAppendTime: they get the time at which they reach the agent. */
                        "message.timestamp.type"?: string | null;
                        /** @description Compacted topics only: a partition is cleaned once more than this share of its cleanable bytes was written after the last cleaning. From 0 to 1. */
                        "min.cleanable.dirty.ratio"?: string | null;
                        /** @description Compacted topics only: records younger than this, in milliseconds, aren't compacted. */
                        "min.compaction.lag.ms"?: string | null;
                        /** @description Has no effect: a record is acknowledged when object storage and the journal have it, whatever acks says. In Kafka: how many replicas must have a record before it is acknowledged with acks=all. */
                        "min.insync.replicas"?: string | null;
                        /** @description Clusters in low-latency mode only. 'cluster': records go to the S3 Express One Zone buckets first, as the cluster's mode says. 'standard': they go to the standard bucket, with its latency. 'low': like 'cluster', and rejected in clusters of other modes. Kafka has no such config, so its tools list it only where it is set. */
                        "penstock.latency"?: string | null;
                        /** @description Has no effect: there are no segments. In Kafka: whether a segment's file gets its full size at once. */
                        preallocate?: string | null;
                        /** @description Has no effect: all records are in object storage. In Kafka: stops copying to tiered storage; what is there stays readable. */
                        "remote.log.copy.disable"?: string | null;
                        /** @description Has no effect: all records are in object storage. In Kafka: deletes what is in tiered storage when that is turned off. */
                        "remote.log.delete.on.disable"?: string | null;
                        /** @description Has no effect: all records are in object storage. In Kafka: turns tiered storage on. */
                        "remote.storage.enable"?: string | null;
                        /** @description The most that a partition keeps, in bytes as stored; the oldest records go first, those of one data file at a time. -1: no limit. */
                        "retention.bytes"?: string | null;
                        /** @description How long records are kept, in milliseconds after their timestamps, and never longer than after they were stored. -1: for ever. */
                        "retention.ms"?: string | null;
                        /** @description Has no effect: there are no segments. Retention drops the records of one data file at a time. In Kafka: the size of a segment's file. */
                        "segment.bytes"?: string | null;
                        /** @description Has no effect: there are no segments. In Kafka: the size of the index of a segment. */
                        "segment.index.bytes"?: string | null;
                        /** @description Has no effect: there are no segments. In Kafka: the random part of the age at which a segment ends, in milliseconds. */
                        "segment.jitter.ms"?: string | null;
                        /** @description Compacted topics only: less than 4 MiB of dirty records is cleaned once the oldest has waited this long, in milliseconds, and after ten minutes at most. There are no segments otherwise. */
                        "segment.ms"?: string | null;
                        /** @description Has no effect: any agent serves any partition. In Kafka: lets a replica that lacks records become leader. */
                        "unclean.leader.election.enable"?: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    listTopicConsumers: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                clusterId: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["TopicConsumer"][];
                        /** @description Pass it as `cursor` to get the next page. Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    listTransactions: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
                limit?: number;
                state?: "Ongoing" | "Empty" | "CompleteCommit" | "CompleteAbort";
            };
            header?: never;
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Transaction"][];
                        /** @description Pass it as `cursor` to get the next page. Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    getTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                clusterId: string;
                transactionalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    abortTransaction: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for each request. Repeating a request with the same key and input within 24 hours returns the original result. The same key with a different input is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                clusterId: string;
                transactionalId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "confirmation": "billing-1"
                 *     }
                 */
                "application/json": {
                    confirmation: string;
                };
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    listClusterUsers: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ClusterUser"][];
                        /** @description Pass it as `cursor` to get the next page. Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteClusterUser: {
        parameters: {
            query?: {
                mechanism?: "SCRAM-SHA-256" | "SCRAM-SHA-512";
            };
            header?: never;
            path: {
                clusterId: string;
                user: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    putClusterUserCredential: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for each request. Repeating a request with the same key and input within 24 hours returns the original result. The same key with a different input is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                clusterId: string;
                user: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "mechanism": "SCRAM-SHA-256",
                 *       "salt": "W22ZaJ0SNY7soEsUEjb6gQ==",
                 *       "storedKey": "WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=",
                 *       "serverKey": "wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=",
                 *       "iterations": 4096,
                 *       "expiresAt": null
                 *     }
                 */
                "application/json": {
                    /** @description RFC 3339. Null for a credential that doesn’t expire. */
                    expiresAt?: string | null;
                    iterations: number;
                    /** @enum {string} */
                    mechanism: "SCRAM-SHA-256" | "SCRAM-SHA-512";
                    /** Format: base64 */
                    salt: string;
                    /** Format: base64 */
                    serverKey: string;
                    /** Format: base64 */
                    storedKey: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClusterUser"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    listDeletedClusters: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Cluster"][];
                        /** @description Pass it as `cursor` to get the next page. Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Invitation"][];
                        /** @description Pass it as `cursor` to get the next page. Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    inviteMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for each request. Repeating a request with the same key and input within 24 hours returns the original result. The same key with a different input is rejected. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "lin@example.com",
                 *       "role": "viewer"
                 *     }
                 */
                "application/json": {
                    /** @description Roles for single clusters, on top of the role. */
                    clusterRoles?: {
                        /** Format: uuid */
                        clusterId: string;
                        /** @enum {string} */
                        role: "admin" | "operator" | "viewer";
                    }[];
                    email: string;
                    /** @enum {string} */
                    role: "owner" | "admin" | "operator" | "billing" | "viewer" | "none";
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                invitationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    listInvoices: {
        parameters: {
            query?: {
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["InvoiceSummary"][];
                        /** @description Pass it as `cursor` to get the next page. Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    downloadInvoiceAsCsv: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                invoice: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    downloadInvoiceAsJson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                invoice: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    getInvoiceLineOrigin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                invoice: string;
                position: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LineOrigin"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    downloadInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                invoice: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    getInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                invoiceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    payInvoiceByCard: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for each request. Repeating a request with the same key and input within 24 hours returns the original result. The same key with a different input is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                invoiceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    listInvoiceLines: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                invoiceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["InvoiceLine"][];
                        /** @description Pass it as `cursor` to get the next page. Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    getPendingInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingInvoice"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Member"][];
                        /** @description Pass it as `cursor` to get the next page. Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    getMemberRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberRole"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    changeMemberRole: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the object that you read. If the object has changed since, the request fails with 412. */
                "If-Match"?: string;
            };
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "role": "viewer"
                 *     }
                 */
                "application/json": {
                    clusterRoles?: {
                        /** Format: uuid */
                        clusterId: string;
                        /** @enum {string} */
                        role: "admin" | "operator" | "viewer";
                    }[];
                    /** @enum {string} */
                    role?: "owner" | "admin" | "operator" | "billing" | "viewer" | "none";
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberRole"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    getOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    exportOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, streamed */
            200: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    endSilence: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                silenceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    getSso: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sso"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    getSsoConnection: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoConnection"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    removeSsoConnection: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    updateSsoConnection: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the object that you read. If the object has changed since, the request fails with 412. */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "issuer": "https://login.example.com",
                 *       "clientId": "penstock",
                 *       "clientSecret": "the secret that your provider shows",
                 *       "defaultRole": "viewer",
                 *       "isRequired": false
                 *     }
                 */
                "application/json": {
                    clientId?: string;
                    /** @description Stored encrypted and never returned. Null or omitted keeps the current secret. */
                    clientSecret?: string | null;
                    /**
                     * @description Role for people who sign in for the first time. Defaults to `viewer` for a new connection.
                     * @enum {string}
                     */
                    defaultRole?: "viewer" | "billing" | "operator" | "admin";
                    /** @description Roles by groups. At each sign-in, the first group in this list that the person is in decides their role. Owners keep theirs. Empty: roles are assigned here. */
                    groupRoles?: {
                        group: string;
                        /** @enum {string} */
                        role: "viewer" | "billing" | "operator" | "admin";
                    }[];
                    /** @description The claim that lists a person’s groups. Defaults to `groups` for a new connection. */
                    groupsClaim?: string;
                    /** @description Refuse people who are in none of these groups, instead of giving them `defaultRole`. */
                    isGroupRequired?: boolean;
                    /** @description Members with an email address in a verified domain must use single sign-on. Owners with two-factor sign-in can use any sign-in method. To turn it on, a connection test with the current settings must have passed on the Organization page. */
                    isRequired?: boolean;
                    issuer?: string;
                    /**
                     * @description Defaults to `oidc` for a new connection.
                     * @enum {string}
                     */
                    protocol?: "oidc" | "saml";
                    /** @description For SAML: the provider’s metadata XML. Omitted keeps the current provider. */
                    samlMetadata?: string;
                    /** @description For SAML: where to read the metadata, instead of `samlMetadata`. Read again each day for new certificates. */
                    samlMetadataUrl?: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoConnection"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    listSsoDomains: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["SsoDomain"][];
                        /** @description Pass it as `cursor` to get the next page. Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    addSsoDomain: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for each request. Repeating a request with the same key and input within 24 hours returns the original result. The same key with a different input is rejected. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "domain": "example.com"
                 *     }
                 */
                "application/json": {
                    domain: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoDomain"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    removeSsoDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                domainId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    verifySsoDomain: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for each request. Repeating a request with the same key and input within 24 hours returns the original result. The same key with a different input is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                domainId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoDomain"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    getScim: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Scim"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    createScimToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for each request. Repeating a request with the same key and input within 24 hours returns the original result. The same key with a different input is rejected. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "lifetimeDays": 365,
                 *       "overlapHours": 24
                 *     }
                 */
                "application/json": {
                    /** @description Days until the token expires. */
                    lifetimeDays: number;
                    /** @description How long a token that exists keeps working. */
                    overlapHours: number;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedScimToken"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    revokeScimToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    getPriceCatalogue: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The catalog */
            200: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
        };
    };
    estimateCost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EstimateRequest"];
            };
        };
        responses: {
            /** @description The estimate */
            200: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
        };
    };
    listPublishedFigures: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures */
            200: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ({
                        id: string;
                    } & {
                        [key: string]: unknown;
                    })[];
                };
            };
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
        };
    };
    getOrganizationThroughput: {
        parameters: {
            query: {
                fromMs: number;
                maxPoints?: number;
                toMs: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationThroughput"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    getMonthToDateUsage: {
        parameters: {
            query?: {
                clusterId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonthToDateUsage"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the object that you read. If the object has changed since, the request fails with 412. */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "webhookUrl": "https://hooks.example.com/penstock"
                 *     }
                 */
                "application/json": {
                    webhookUrl: string | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list */
            200: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["WebhookDelivery"][];
                        /** @description Pass it as `cursor` to get the next page. Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for each request. Repeating a request with the same key and input within 24 hours returns the original result. The same key with a different input is rejected. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description Send it in If-Match or If-None-Match. */
                    ETag: string;
                    /** @description The remaining quota and the number of seconds until it resets. */
                    RateLimit?: string;
                    /** @description The quota and its window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Include it when you contact support. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookTest"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            503: components["responses"]["Problem503"];
        };
    };
}
