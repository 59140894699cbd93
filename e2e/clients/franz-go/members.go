package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
)

const (
	pollTime  = 50 * time.Millisecond
	fetchWait = 100 * time.Millisecond
)

type topicPartition struct {
	topic     string
	partition int32
}

func (of topicPartition) String() string {
	return of.topic + "-" + strconv.Itoa(int(of.partition))
}

type readRecord struct {
	from   topicPartition
	offset int64
}

// groupRecords is what the members of one group have read.
type groupRecords struct {
	times       map[readRecord]int
	read        int
	longestWait time.Duration
}

// memberProgram has many members of consumer groups in one process, each a client with a goroutine of its own.
type memberProgram struct {
	bootstrap []string
	members   map[string]*member

	lock sync.Mutex
	// By group: which member has the partition.
	owners    map[string]map[topicPartition]string
	records   map[string]*groupRecords
	conflicts []string
}

type member struct {
	program     *memberProgram
	name, group string
	client      *kgo.Client
	closing     context.CancelFunc
	ended       chan struct{}
	// What follows is under the program's lock.
	assigned    map[topicPartition]bool
	assignments int
	failure     string
}

// runMembers understands the commands of consumer-groups/java/GroupMembers.java on its standard input, and answers them the same way.
func runMembers(_ context.Context, args []string) error {
	flags := flag.NewFlagSet("members", flag.ExitOnError)
	bootstrap := flags.String("bootstrap", "", "host:port,…")
	if err := flags.Parse(args); err != nil {
		return err
	}
	program := &memberProgram{
		bootstrap: strings.Split(*bootstrap, ","),
		members:   map[string]*member{},
		owners:    map[string]map[topicPartition]string{},
		records:   map[string]*groupRecords{},
	}
	scanner := bufio.NewScanner(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	for scanner.Scan() {
		rows, err := program.answer(strings.Fields(scanner.Text()))
		if err != nil {
			return err
		}
		for _, row := range append(rows, ".") {
			fmt.Fprintln(out, row)
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
	return scanner.Err()
}

func (program *memberProgram) answer(words []string) ([]string, error) {
	switch words[0] {
	case "join":
		return nil, program.join(words[1], words[2], words[3], words[4], words[5])
	case "close":
		joined := program.members[words[1]]
		delete(program.members, words[1])
		joined.closing()
		<-joined.ended
		return nil, nil
	}
	program.lock.Lock()
	defer program.lock.Unlock()
	switch words[0] {
	case "show":
		rows := make([]string, 0, len(program.members))
		for _, joined := range program.members {
			rows = append(rows, joined.shown())
		}
		sort.Strings(rows)
		return rows, nil
	case "records":
		of := program.recordsOf(words[1])
		return []string{fmt.Sprint(of.read, " ", len(of.times))}, nil
	case "wait":
		of := program.recordsOf(words[1])
		longest := of.longestWait
		of.longestWait = 0
		return []string{fmt.Sprint(longest.Milliseconds())}, nil
	case "conflicts":
		return program.conflicts, nil
	}
	return nil, fmt.Errorf("no such command: %s", words[0])
}

func (program *memberProgram) join(name, protocol, group, subscription, instance string) error {
	joined := &member{
		program: program, name: name, group: group,
		ended: make(chan struct{}), assigned: map[topicPartition]bool{}, failure: "-",
	}
	options := []kgo.Opt{
		kgo.SeedBrokers(program.bootstrap...),
		kgo.ClientID(name),
		kgo.ConsumerGroup(group),
		kgo.DisableAutoCommit(),
		kgo.FetchMaxWait(fetchWait),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
		kgo.OnPartitionsAssigned(joined.gets),
		kgo.OnPartitionsRevoked(joined.givesUp),
		kgo.OnPartitionsLost(joined.givesUp),
	}
	if pattern, isPattern := strings.CutPrefix(subscription, "~"); isPattern {
		options = append(options, kgo.ConsumeRegex(), kgo.ConsumeTopics(pattern))
	} else {
		options = append(options, kgo.ConsumeTopics(strings.Split(subscription, ",")...))
	}
	if protocol == "consumer" {
		// Which the client turns into the server's uniform assignor.
		options = append(options, kgo.ServerSideBalancer(), kgo.Balancers(kgo.StickyBalancer()))
	} else {
		options = append(options, kgo.Balancers(kgo.CooperativeStickyBalancer()))
	}
	if instance != "-" {
		options = append(options, kgo.InstanceID(instance))
	}
	client, err := kgo.NewClient(options...)
	if err != nil {
		return err
	}
	joined.client = client
	ctx, cancel := context.WithCancel(context.Background())
	joined.closing = cancel
	program.members[name] = joined
	go joined.run(ctx)
	return nil
}

func (program *memberProgram) recordsOf(group string) *groupRecords {
	of := program.records[group]
	if of == nil {
		of = &groupRecords{times: map[readRecord]int{}}
		program.records[group] = of
	}
	return of
}

func (joined *member) run(ctx context.Context) {
	defer close(joined.ended)
	for ctx.Err() == nil {
		if err := joined.poll(ctx); err != nil {
			joined.program.lock.Lock()
			joined.failure = strings.ReplaceAll(err.Error(), " ", "_")
			joined.program.lock.Unlock()
			break
		}
	}
	// It leaves the group.
	joined.client.CloseAllowingRebalance()
}

func (joined *member) poll(ctx context.Context) error {
	polling, cancel := context.WithTimeout(ctx, pollTime)
	defer cancel()
	fetches := joined.client.PollFetches(polling)
	for _, failed := range fetches.Errors() {
		if !errors.Is(failed.Err, context.DeadlineExceeded) && !errors.Is(failed.Err, context.Canceled) {
			return failed.Err
		}
	}
	if fetches.NumRecords() == 0 {
		return nil
	}
	joined.count(fetches)
	// Not with the member's own context, so that what was read before it leaves is committed.
	err := joined.client.CommitUncommittedOffsets(context.Background())
	if isRefusedByRebalance(err) {
		return nil
	}
	return err
}

// isRefusedByRebalance says whether the next commit, or the partition's next owner, goes on from the commit before.
func isRefusedByRebalance(err error) bool {
	for _, refusal := range []error{
		kerr.RebalanceInProgress, kerr.IllegalGeneration, kerr.UnknownMemberID, kerr.StaleMemberEpoch,
	} {
		if errors.Is(err, refusal) {
			return true
		}
	}
	return false
}

func (joined *member) count(fetches kgo.Fetches) {
	now := time.Now()
	joined.program.lock.Lock()
	defer joined.program.lock.Unlock()
	of := joined.program.recordsOf(joined.group)
	fetches.EachRecord(func(record *kgo.Record) {
		key := readRecord{topicPartition{record.Topic, record.Partition}, record.Offset}
		of.times[key]++
		of.read++
		if of.times[key] == 1 {
			of.longestWait = max(of.longestWait, now.Sub(record.Timestamp))
		}
	})
}

func (joined *member) gets(_ context.Context, _ *kgo.Client, topics map[string][]int32) {
	joined.program.lock.Lock()
	defer joined.program.lock.Unlock()
	owners := joined.program.owners[joined.group]
	if owners == nil {
		owners = map[topicPartition]string{}
		joined.program.owners[joined.group] = owners
	}
	joined.assignments++
	for topic, partitions := range topics {
		for _, partition := range partitions {
			key := topicPartition{topic, partition}
			if other, isOwned := owners[key]; isOwned && other != joined.name {
				joined.program.conflicts = append(joined.program.conflicts, fmt.Sprint(key, " ", other, " ", joined.name))
			}
			owners[key] = joined.name
			joined.assigned[key] = true
		}
	}
}

func (joined *member) givesUp(_ context.Context, _ *kgo.Client, topics map[string][]int32) {
	joined.program.lock.Lock()
	defer joined.program.lock.Unlock()
	owners := joined.program.owners[joined.group]
	for topic, partitions := range topics {
		for _, partition := range partitions {
			key := topicPartition{topic, partition}
			if owners[key] == joined.name {
				delete(owners, key)
			}
			delete(joined.assigned, key)
		}
	}
}

func (joined *member) shown() string {
	partitions := make([]string, 0, len(joined.assigned))
	for key := range joined.assigned {
		partitions = append(partitions, key.String())
	}
	sort.Strings(partitions)
	return fmt.Sprint(joined.name, " ", len(partitions), " ", joined.assignments, " ", strings.Join(partitions, ","), " ", joined.failure)
}
