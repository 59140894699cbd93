import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { optionGroups, subcommandsOf } from './help.ts';
import { compareWithKafka, KAFKA_APIS } from './kafka-versions.ts';
import { sentCalls } from './proto.ts';
import { referenceFolder, referenceFromSources, render } from './reference.ts';

// To update it: node infra/docs/reference/generate.ts
test('the reference matches the sources', async () => {
  for (const [name, content] of Object.entries(await referenceFromSources())) {
    expect((await readFile(join(referenceFolder, name), 'utf8')) === render(content), name).toBe(true);
  }
});

describe('the comparison with Kafka’s APIs', () => {
  const theirs = KAFKA_APIS.map(([key, name, oldest, newest]) => ({ key, name, oldest, newest }));

  it('lists the APIs of both with a reason for each difference', () => {
    const ours = theirs.filter(({ name }) => name !== 'ShareFetch');
    const compared = compareWithKafka(ours.map((api) => (api.name === 'Fetch' ? { ...api, newest: 17 } : api)));
    expect(compared).toHaveLength(KAFKA_APIS.length);
    const differing = compared.filter(({ difference }) => difference !== '');
    expect(differing).toMatchObject([
      { name: 'Fetch', versions: { oldest: 4, newest: 17 }, kafka: { oldest: 4, newest: 18 } },
      { name: 'ShareFetch', versions: null, kafka: { oldest: 1, newest: 2 } },
    ]);
  });

  it('fails while a difference has no reason', () => {
    expect(() => compareWithKafka(theirs.filter(({ name }) => name !== 'Metadata'))).toThrow('Metadata');
  });
});

describe('the list of what agents send', () => {
  const contract = `
service MetadataService {
  // A comment.
  rpc First(FirstRequest) returns (Nothing);
  rpc Second(SecondRequest) returns (stream Nothing);
}
service Other { rpc Third(FirstRequest) returns (Nothing); }
message FirstRequest {
  string name = 1; // as typed in
  // Two lines
  // of words.
  repeated Part parts = 2;
  Kind kind = 3;
}
message Part {
  enum Size { SIZE_SMALL = 0; }
  Size size = 1;
  optional bytes content = 2;
}
message SecondRequest { string id = 1; } // trailing words
message Nothing {}
enum Kind {
  KIND_A = 0;
}`;

  it('covers every field of every call, nested ones included', () => {
    expect(sentCalls(contract, 'MetadataService')).toEqual([
      {
        name: 'First',
        fields: [
          { path: 'name', type: 'string', note: 'as typed in' },
          { path: 'parts[].size', type: 'Size', note: '' },
          { path: 'parts[].content', type: 'bytes', note: '' },
          { path: 'kind', type: 'Kind', note: '' },
        ],
      },
      { name: 'Second', fields: [{ path: 'id', type: 'string', note: '' }] },
    ]);
  });
});

describe('the help of a command', () => {
  const help = `Serve

Usage: penstock agent [OPTIONS]

Commands:
  run   Run it
  help  Print this message

Options:
  -h, --help
          Print help

Storage:
      --bucket <URL>
          Where the records
          are stored

          [env: PENSTOCK_BUCKET=]
          [default: mem://]

Examples:
  penstock agent`;

  it('lists its options by heading, with wrapped lines joined', () => {
    expect(optionGroups(help)).toEqual([
      { title: 'Options', options: [{ flag: '--help', text: 'Print help', variable: null, default: null }] },
      {
        title: 'Storage',
        options: [
          {
            flag: '--bucket <URL>',
            text: 'Where the records are stored',
            variable: 'PENSTOCK_BUCKET',
            default: 'mem://',
          },
        ],
      },
    ]);
  });

  it('names its subcommands', () => {
    expect(subcommandsOf(help)).toEqual(['run']);
  });
});
