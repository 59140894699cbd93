// Command go-sign-in signs in with franz-go or sarama, produces one record, reads it back and prints it, for the end-to-end tests.
//
//	go-sign-in < settings.json
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"
)

// Settings of one run, as JSON on standard input.
type settings struct {
	Client    string `json:"client"`
	Bootstrap string `json:"bootstrap"`
	Topic     string `json:"topic"`
	Value     string `json:"value"`
	// PLAIN, SCRAM-SHA-256, SCRAM-SHA-512, OAUTHBEARER or empty.
	Mechanism string `json:"mechanism"`
	User      string `json:"user"`
	// A password, or the token of OAUTHBEARER.
	Secret string `json:"secret"`
	// PEM files; without an authority the connection is in the clear.
	Authority   string `json:"authority"`
	Certificate string `json:"certificate"`
	Key         string `json:"key"`
}

func (s settings) tls() (*tls.Config, error) {
	if s.Authority == "" {
		return nil, nil
	}
	pem, err := os.ReadFile(s.Authority)
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(pem) {
		return nil, errors.New("no certificate in " + s.Authority)
	}
	config := &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	if s.Certificate != "" {
		pair, err := tls.LoadX509KeyPair(s.Certificate, s.Key)
		if err != nil {
			return nil, err
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}

func run() error {
	var s settings
	if err := json.NewDecoder(os.Stdin).Decode(&s); err != nil {
		return err
	}
	config, err := s.tls()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var value string
	switch s.Client {
	case "franz-go":
		value, err = withFranzGo(ctx, s, config)
	case "sarama":
		value, err = withSarama(ctx, s, config)
	default:
		err = fmt.Errorf("no such client: %s", s.Client)
	}
	if err != nil {
		return err
	}
	fmt.Println(value)
	return nil
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
