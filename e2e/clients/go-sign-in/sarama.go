package main

import (
	"context"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/subtle"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"hash"
	"strconv"
	"strings"

	"github.com/IBM/sarama"
)

func saramaConfig(s settings, config *tls.Config) (*sarama.Config, error) {
	c := sarama.NewConfig()
	c.Version = sarama.V4_0_0_0
	c.Producer.Return.Successes = true
	c.Producer.RequiredAcks = sarama.WaitForAll
	c.Metadata.Retry.Max = 0
	c.Net.TLS.Enable, c.Net.TLS.Config = config != nil, config
	if s.Mechanism == "" {
		return c, nil
	}
	c.Net.SASL.Enable = true
	c.Net.SASL.Mechanism = sarama.SASLMechanism(s.Mechanism)
	c.Net.SASL.User, c.Net.SASL.Password = s.User, s.Secret
	switch s.Mechanism {
	case "PLAIN":
	case "SCRAM-SHA-256":
		c.Net.SASL.SCRAMClientGeneratorFunc = func() sarama.SCRAMClient { return &scramClient{hash: sha256.New} }
	case "SCRAM-SHA-512":
		c.Net.SASL.SCRAMClientGeneratorFunc = func() sarama.SCRAMClient { return &scramClient{hash: sha512.New} }
	case "OAUTHBEARER":
		c.Net.SASL.TokenProvider = tokenProvider(s.Secret)
	default:
		return nil, fmt.Errorf("no such mechanism: %s", s.Mechanism)
	}
	return c, nil
}

func withSarama(ctx context.Context, s settings, config *tls.Config) (string, error) {
	c, err := saramaConfig(s, config)
	if err != nil {
		return "", err
	}
	client, err := sarama.NewClient([]string{s.Bootstrap}, c)
	if err != nil {
		return "", err
	}
	defer client.Close()
	producer, err := sarama.NewSyncProducerFromClient(client)
	if err != nil {
		return "", err
	}
	defer producer.Close()
	message := &sarama.ProducerMessage{Topic: s.Topic, Value: sarama.StringEncoder(s.Value)}
	partition, offset, err := producer.SendMessage(message)
	if err != nil {
		return "", err
	}
	consumer, err := sarama.NewConsumerFromClient(client)
	if err != nil {
		return "", err
	}
	defer consumer.Close()
	records, err := consumer.ConsumePartition(s.Topic, partition, offset)
	if err != nil {
		return "", err
	}
	defer records.Close()
	select {
	case record := <-records.Messages():
		return string(record.Value), nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

type tokenProvider string

func (t tokenProvider) Token() (*sarama.AccessToken, error) {
	return &sarama.AccessToken{Token: string(t)}, nil
}

// scramClient is RFC 5802, which sarama leaves to its users.
type scramClient struct {
	hash        func() hash.Hash
	password    string
	first       string
	serverProof []byte
	isDone      bool
}

func (c *scramClient) Begin(user, password, _ string) error {
	nonce := make([]byte, 18)
	if _, err := rand.Read(nonce); err != nil {
		return err
	}
	c.password = password
	c.first = "n=" + user + ",r=" + base64.StdEncoding.EncodeToString(nonce)
	return nil
}

func (c *scramClient) Step(challenge string) (string, error) {
	if challenge == "" {
		return "n,," + c.first, nil
	}
	attributes := map[string]string{}
	for _, part := range strings.Split(challenge, ",") {
		name, value, _ := strings.Cut(part, "=")
		attributes[name] = value
	}
	if proof, isLast := attributes["v"]; isLast {
		c.isDone = true
		given, err := base64.StdEncoding.DecodeString(proof)
		if err != nil || subtle.ConstantTimeCompare(given, c.serverProof) != 1 {
			return "", errors.New("the server does not know the credential")
		}
		return "", nil
	}
	salt, err := base64.StdEncoding.DecodeString(attributes["s"])
	if err != nil {
		return "", err
	}
	iterations, err := strconv.Atoi(attributes["i"])
	if err != nil {
		return "", err
	}
	salted, err := pbkdf2.Key(c.hash, c.password, salt, iterations, c.hash().Size())
	if err != nil {
		return "", err
	}
	withoutProof := "c=biws,r=" + attributes["r"]
	signed := c.first + "," + challenge + "," + withoutProof
	clientKey := c.sign(salted, "Client Key")
	stored := c.hash()
	stored.Write(clientKey)
	proof := c.sign(stored.Sum(nil), signed)
	subtle.XORBytes(proof, proof, clientKey)
	c.serverProof = c.sign(c.sign(salted, "Server Key"), signed)
	return withoutProof + ",p=" + base64.StdEncoding.EncodeToString(proof), nil
}

func (c *scramClient) Done() bool {
	return c.isDone
}

func (c *scramClient) sign(key []byte, text string) []byte {
	mac := hmac.New(c.hash, key)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}
