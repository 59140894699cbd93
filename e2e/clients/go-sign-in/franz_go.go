package main

import (
	"context"
	"crypto/tls"
	"fmt"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sasl"
	"github.com/twmb/franz-go/pkg/sasl/oauth"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"
)

func franzGoMechanism(s settings) (sasl.Mechanism, error) {
	switch s.Mechanism {
	case "PLAIN":
		return plain.Auth{User: s.User, Pass: s.Secret}.AsMechanism(), nil
	case "SCRAM-SHA-256":
		return scram.Auth{User: s.User, Pass: s.Secret}.AsSha256Mechanism(), nil
	case "SCRAM-SHA-512":
		return scram.Auth{User: s.User, Pass: s.Secret}.AsSha512Mechanism(), nil
	case "OAUTHBEARER":
		return oauth.Auth{Token: s.Secret}.AsMechanism(), nil
	}
	return nil, fmt.Errorf("no such mechanism: %s", s.Mechanism)
}

func withFranzGo(ctx context.Context, s settings, config *tls.Config) (string, error) {
	options := []kgo.Opt{kgo.SeedBrokers(s.Bootstrap), kgo.DefaultProduceTopic(s.Topic)}
	if config != nil {
		options = append(options, kgo.DialTLSConfig(config))
	}
	if s.Mechanism != "" {
		mechanism, err := franzGoMechanism(s)
		if err != nil {
			return "", err
		}
		options = append(options, kgo.SASL(mechanism))
	}
	client, err := kgo.NewClient(options...)
	if err != nil {
		return "", err
	}
	defer client.Close()
	// Ping fails at once where producing would try again.
	if err := client.Ping(ctx); err != nil {
		return "", err
	}
	produced, err := client.ProduceSync(ctx, kgo.StringRecord(s.Value)).First()
	if err != nil {
		return "", err
	}
	at := kgo.NewOffset().At(produced.Offset)
	client.AddConsumePartitions(map[string]map[int32]kgo.Offset{s.Topic: {produced.Partition: at}})
	fetches := client.PollFetches(ctx)
	if err := fetches.Err(); err != nil {
		return "", err
	}
	return string(fetches.Records()[0].Value), nil
}
