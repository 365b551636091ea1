import { waitUntil } from './smoke/wait-until.ts'

interface StreamedEvent {
  readonly id: string | undefined
  /** The `event:` line, when there is one. */
  readonly event: string | undefined
  readonly data: Readonly<Record<string, unknown>>
}

export interface TestStream extends AsyncDisposable {
  readonly status: number
  readonly headers: Headers
  /** It holds all events so far. */
  readonly events: readonly StreamedEvent[]
  /** It returns what has arrived besides events, unparsed. */
  text(): string
  /** The server ended it. */
  readonly ended: Promise<void>
  isEnded(): boolean
  /** The first event of a type, as soon as it is there. */
  first(type: string): Promise<StreamedEvent>
  ofType(type: string): StreamedEvent[]
  /** It drops everything that has arrived so far. */
  forget(): void
}

/** It opens a stream of events as a browser would, and keeps what comes. */
export const openStream = async (
  url: string,
  headers: Readonly<Record<string, string>>,
  path = '/api/v1/events',
): Promise<TestStream> => {
  const abort = new AbortController()
  const response = await fetch(url + path, { headers, signal: abort.signal })
  const events: StreamedEvent[] = []
  let text = ''
  let rest = ''
  let isEnded = false
  const read = async (): Promise<void> => {
    if (!response.body) return
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      text += chunk
      rest += chunk
      const parts = rest.split('\n\n')
      rest = parts.pop() ?? ''
      events.push(...parts.flatMap((part) => parse(part) ?? []))
    }
  }
  const ended = read()
    .catch(() => undefined)
    .finally(() => {
      isEnded = true
    })
  // Other protocols write the type only in the event line.
  const ofType = (type: string) => events.filter(({ event, data }) => (data.type ?? event) === type)

  return {
    status: response.status,
    headers: response.headers,
    events,
    text: () => text,
    ended,
    isEnded: () => isEnded,
    ofType,
    forget: () => {
      events.length = 0
    },
    first: (type) =>
      waitUntil(
        () => `an event ${type}, among ${text}`,
        () => ofType(type)[0],
      ),
    async [Symbol.asyncDispose]() {
      abort.abort()
      await ended
    },
  }
}

const parse = (block: string): StreamedEvent | undefined => {
  const fields = new Map(
    block.split('\n').flatMap((line) => {
      const [, name, value] = /^(\w+): ?(.*)$/.exec(line) ?? []
      return name === undefined || value === undefined ? [] : [[name, value] as const]
    }),
  )
  const data = fields.get('data')
  if (data === undefined) return undefined
  return {
    id: fields.get('id'),
    event: fields.get('event'),
    data: JSON.parse(data) as Record<string, unknown>,
  }
}
