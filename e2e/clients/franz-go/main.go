// Command franz-go-client produces and consumes numbered records with franz-go, for the end-to-end tests.
//
//	franz-go-client produce -bootstrap … -topic … -values FILE [-codec none|gzip|snappy|lz4|zstd]
//	franz-go-client consume -bootstrap … -topic … -count N [-group NAME [-protocol classic|consumer]]
//	franz-go-client transform -bootstrap … -topic … -output … -group … -id … -count N
//	franz-go-client members -bootstrap …
//
// It prints `partition offset index` per acknowledged record, and `partition offset value` per consumed one. `transform` consumes and
// produces in transactions until it has committed N records, and aborts every third transaction; it prints how many of each.
// `members` has many members of consumer groups and runs until its standard input ends: see members.go.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

func codecOf(name string) (kgo.CompressionCodec, error) {
	switch name {
	case "none":
		return kgo.NoCompression(), nil
	case "gzip":
		return kgo.GzipCompression(), nil
	case "snappy":
		return kgo.SnappyCompression(), nil
	case "lz4":
		return kgo.Lz4Compression(), nil
	case "zstd":
		return kgo.ZstdCompression(), nil
	}
	return kgo.CompressionCodec{}, fmt.Errorf("no such codec: %s", name)
}

func produce(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("produce", flag.ExitOnError)
	bootstrap := flags.String("bootstrap", "", "host:port,…")
	topic := flags.String("topic", "", "topic")
	values := flags.String("values", "", "file with one value per line")
	codecName := flags.String("codec", "none", "compression codec")
	if err := flags.Parse(args); err != nil {
		return err
	}
	codec, err := codecOf(*codecName)
	if err != nil {
		return err
	}
	client, err := kgo.NewClient(
		kgo.SeedBrokers(strings.Split(*bootstrap, ",")...),
		kgo.DefaultProduceTopic(*topic),
		kgo.ProducerBatchCompression(codec),
		kgo.RecordDeliveryTimeout(2*time.Minute),
	)
	if err != nil {
		return err
	}
	defer client.Close()
	file, err := os.Open(*values)
	if err != nil {
		return err
	}
	defer file.Close()

	var lock sync.Mutex
	var failures []error
	out := bufio.NewWriter(os.Stdout)
	scanner := bufio.NewScanner(file)
	scanner.Buffer(make([]byte, 1<<20), 1<<20)
	for index := 0; scanner.Scan(); index++ {
		value := append([]byte(nil), scanner.Bytes()...)
		record := &kgo.Record{Key: []byte(strconv.Itoa(index)), Value: value}
		client.Produce(ctx, record, func(record *kgo.Record, err error) {
			lock.Lock()
			defer lock.Unlock()
			if err != nil {
				failures = append(failures, err)
				return
			}
			fmt.Fprintln(out, record.Partition, record.Offset, string(record.Key))
		})
	}
	if err := scanner.Err(); err != nil {
		return err
	}
	if err := client.Flush(ctx); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return errors.Join(failures...)
}

func consume(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("consume", flag.ExitOnError)
	bootstrap := flags.String("bootstrap", "", "host:port,…")
	topic := flags.String("topic", "", "topic")
	count := flags.Int("count", 0, "end after so many records")
	group := flags.String("group", "", "consumer group; without one all partitions from the start")
	protocol := flags.String("protocol", "classic", "of the group")
	if err := flags.Parse(args); err != nil {
		return err
	}
	options := []kgo.Opt{
		kgo.SeedBrokers(strings.Split(*bootstrap, ",")...),
		kgo.ConsumeTopics(*topic),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
	}
	if *group != "" {
		options = append(options, kgo.ConsumerGroup(*group), kgo.DisableAutoCommit())
	}
	if *protocol == "consumer" {
		// Which the client turns into the server's uniform assignor.
		options = append(options, kgo.ServerSideBalancer(), kgo.Balancers(kgo.StickyBalancer()))
	}
	client, err := kgo.NewClient(options...)
	if err != nil {
		return err
	}
	defer client.Close()
	out := bufio.NewWriter(os.Stdout)
	for seen := 0; seen < *count; {
		fetches := client.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return err
		}
		fetches.EachRecord(func(record *kgo.Record) {
			fmt.Fprintln(out, record.Partition, record.Offset, string(record.Value))
			seen++
		})
		if *group != "" {
			if err := client.CommitUncommittedOffsets(ctx); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

// transform writes each record of a topic with an exclamation mark to another topic, exactly once.
func transform(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("transform", flag.ExitOnError)
	bootstrap := flags.String("bootstrap", "", "host:port,…")
	topic := flags.String("topic", "", "topic to read")
	output := flags.String("output", "", "topic to write")
	group := flags.String("group", "", "consumer group")
	id := flags.String("id", "", "transactional id")
	count := flags.Int("count", 0, "end after so many records")
	if err := flags.Parse(args); err != nil {
		return err
	}
	session, err := kgo.NewGroupTransactSession(
		kgo.SeedBrokers(strings.Split(*bootstrap, ",")...),
		kgo.ConsumeTopics(*topic),
		kgo.DefaultProduceTopic(*output),
		kgo.ConsumerGroup(*group),
		kgo.TransactionalID(*id),
		kgo.FetchIsolationLevel(kgo.ReadCommitted()),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
		kgo.RequireStableFetchOffsets(),
	)
	if err != nil {
		return err
	}
	defer session.Close()
	committed, aborted, records := 0, 0, 0
	for attempt := 1; records < *count; attempt++ {
		// Few at a time, so that there are many transactions.
		fetches := session.PollRecords(ctx, 10)
		if err := fetches.Err(); err != nil {
			return err
		}
		if err := session.Begin(); err != nil {
			return err
		}
		promise := kgo.AbortingFirstErrPromise(session.Client())
		fetches.EachRecord(func(record *kgo.Record) {
			session.Produce(ctx, kgo.StringRecord(string(record.Value)+"!"), promise.Promise())
		})
		isWanted := attempt%3 != 0
		isCommitted, err := session.End(ctx, kgo.TransactionEndTry(promise.Err() == nil && isWanted))
		if err != nil {
			return err
		}
		if isCommitted {
			committed++
			records += fetches.NumRecords()
		} else {
			aborted++
		}
	}
	fmt.Println("committed", committed > 0, "aborted", aborted > 0, "records", records)
	return nil
}

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: franz-go-client produce|consume|transform|members …")
		os.Exit(2)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	commands := map[string]func(context.Context, []string) error{
		"produce": produce, "consume": consume, "transform": transform, "members": runMembers,
	}
	command, isKnown := commands[os.Args[1]]
	if !isKnown {
		fmt.Fprintf(os.Stderr, "no such command: %s\n", os.Args[1])
		os.Exit(2)
	}
	if err := command(ctx, os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
