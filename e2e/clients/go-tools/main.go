// Command go-tools calls Kafka as tools written in Go do, for the end-to-end tests.
//
//	go-tools list-groups franz-go|kafka-go|sarama host:port
//	go-tools fetch host:port topic
//
// `list-groups` asks every broker and prints each group that one of them lists: kafka-go as topicctl does, sarama as
// kafka_exporter does, and franz-go as kminion does. `fetch` reads partition 0 with kafka-go's Client.Fetch, which
// names no session, and prints `offset value` per record.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/IBM/sarama"
	"github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

const (
	patience      = 30 * time.Second
	maxFetchBytes = 1 << 20
)

func listWithFranzGo(ctx context.Context, bootstrap string) ([]string, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(bootstrap))
	if err != nil {
		return nil, err
	}
	defer client.Close()
	var groups []string
	for _, shard := range client.RequestSharded(ctx, kmsg.NewPtrListGroupsRequest()) {
		if shard.Err != nil {
			return nil, shard.Err
		}
		answer := shard.Resp.(*kmsg.ListGroupsResponse)
		if err := kerr.ErrorForCode(answer.ErrorCode); err != nil {
			return nil, err
		}
		for _, group := range answer.Groups {
			groups = append(groups, group.Group)
		}
	}
	return groups, nil
}

func listWithKafkaGo(ctx context.Context, bootstrap string) ([]string, error) {
	client := &kafka.Client{Addr: kafka.TCP(bootstrap), Timeout: patience}
	answer, err := client.ListGroups(ctx, &kafka.ListGroupsRequest{})
	if err != nil {
		return nil, err
	}
	var groups []string
	for _, group := range answer.Groups {
		groups = append(groups, group.GroupID)
	}
	return groups, answer.Error
}

func listWithSarama(_ context.Context, bootstrap string) ([]string, error) {
	config := sarama.NewConfig()
	client, err := sarama.NewClient([]string{bootstrap}, config)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	var groups []string
	for _, broker := range client.Brokers() {
		if err := broker.Open(config); err != nil && !errors.Is(err, sarama.ErrAlreadyConnected) {
			return nil, err
		}
		answer, err := broker.ListGroups(&sarama.ListGroupsRequest{})
		if err != nil {
			return nil, err
		}
		if answer.Err != sarama.ErrNoError {
			return nil, answer.Err
		}
		for group := range answer.Groups {
			groups = append(groups, group)
		}
	}
	return groups, nil
}

func listGroups(ctx context.Context, library, bootstrap string) error {
	list, known := map[string]func(context.Context, string) ([]string, error){
		"franz-go": listWithFranzGo,
		"kafka-go": listWithKafkaGo,
		"sarama":   listWithSarama,
	}[library]
	if !known {
		return errors.New("no such library: " + library)
	}
	groups, err := list(ctx, bootstrap)
	for _, group := range groups {
		fmt.Println(group)
	}
	return err
}

func fetch(ctx context.Context, bootstrap, topic string) error {
	client := &kafka.Client{Addr: kafka.TCP(bootstrap), Timeout: patience}
	offset := int64(0)
	for {
		answer, err := client.Fetch(ctx, &kafka.FetchRequest{
			Topic:    topic,
			Offset:   offset,
			MinBytes: 1,
			MaxBytes: maxFetchBytes,
			MaxWait:  time.Second,
		})
		if err != nil {
			return err
		}
		if answer.Error != nil {
			return answer.Error
		}
		for {
			record, err := answer.Records.ReadRecord()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return err
			}
			value, err := kafka.ReadAll(record.Value)
			if err != nil {
				return err
			}
			fmt.Println(record.Offset, string(value))
			offset = record.Offset + 1
		}
		if offset >= answer.HighWatermark {
			return nil
		}
	}
}

func run(args []string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	switch {
	case len(args) == 3 && args[0] == "list-groups":
		return listGroups(ctx, args[1], args[2])
	case len(args) == 3 && args[0] == "fetch":
		return fetch(ctx, args[1], args[2])
	}
	return errors.New("usage: go-tools list-groups LIBRARY HOST:PORT | fetch HOST:PORT TOPIC")
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
