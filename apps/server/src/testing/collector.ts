import { once } from "node:events";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A span as a collector receives it. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  /** Empty for the root span of a trace. */
  parentSpanId: string;
  name: string;
  attributes: Record<string, string | number | boolean>;
}

export interface Collector {
  url: string;
  /** Everything received, as raw bytes. */
  received(): Buffer;
  spans(): ReceivedSpan[];
  close(): void;
}

/**
 * An OpenTelemetry collector that records what it receives over OTLP/HTTP in protobuf, and responds with this status.
 */
export async function startCollector(status = 200): Promise<Collector> {
  const bodies: Buffer[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    bodies.push(await bodyOf(request));
    response.writeHead(status).end();
  };
  const server = createServer((request, response) => void take(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1/traces`,
    received: () => Buffer.concat(bodies),
    spans: () => bodies.flatMap(spansOf),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** ExportTraceServiceRequest → resource_spans → scope_spans → spans, by their field numbers in the protocol. */
function spansOf(request: Buffer): ReceivedSpan[] {
  const below = (messages: Buffer[], field: number) =>
    messages.flatMap((message) => fieldsOf(message).all(field));
  return below(below(below([request], 1), 2), 2).map((message) => {
    const { all, one } = fieldsOf(message);
    return {
      traceId: one(1).toString("hex"),
      spanId: one(2).toString("hex"),
      parentSpanId: one(4).toString("hex"),
      name: one(5).toString(),
      attributes: Object.fromEntries(all(9).map(attributeOf)),
    };
  });
}

function attributeOf(message: Buffer): [name: string, value: string | number | boolean] {
  const { one } = fieldsOf(message);
  const value = fieldsOf(one(2));
  return [one(1).toString(), value.number(3) ?? value.one(1).toString()];
}

/** Reads the fields of one protobuf message: bytes for strings and messages, numbers for integers. */
function fieldsOf(message: Buffer) {
  const fields: [field: number, value: Buffer | number][] = [];
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message.readUInt8(at++);
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const key = varint();
    const kind = key & 7;
    if (kind === 0) fields.push([key >> 3, varint()]);
    else {
      const length = kind === 2 ? varint() : kind === 1 ? 8 : 4;
      fields.push([key >> 3, message.subarray(at, (at += length))]);
    }
  }
  const of = (field: number) => fields.filter(([number]) => number === field).map(([, value]) => value);
  const all = (field: number) => of(field).filter((value) => typeof value !== "number");
  return {
    all,
    one: (field: number) => all(field)[0] ?? Buffer.alloc(0),
    number: (field: number) => of(field).find((value) => typeof value === "number"),
  };
}
