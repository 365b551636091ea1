import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerParent } from './asking.ts'
import { monotonicMs } from './monotonic.ts'

// Serialises once a profile and writes the same bytes to everybody: less than this no server does that says the same.
const opened = new Map<string, Set<ServerResponse>>()
const server = createServer((request, response) => {
  const group = request.url ?? ''
  if (!opened.has(group)) opened.set(group, new Set())
  opened.get(group)?.add(response)
  response.on('close', () => opened.get(group)?.delete(response))
  response.writeHead(200, { 'content-type': 'text/event-stream', connection: 'close' })
  response.write('data: {}\n\n')
})
let number = 0

const write = (group: string, events: readonly object[]): void => {
  const text = events.map((event) => `id: ${(number += 1)}\nevent: book_updated\ndata: ${JSON.stringify(event)}\n\n`)
  const chunk = Buffer.from(text.join(''))
  for (const response of opened.get(group) ?? []) response.write(chunk)
}

const answers = {
  listen: async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  },
  announce: ({ batches, groups }: { batches: number; groups: Readonly<Record<string, readonly object[]>> }) => {
    const startedAt = monotonicMs()
    for (let batch = 0; batch < batches; batch += 1)
      for (const [group, events] of Object.entries(groups)) write(group, events)
    return startedAt
  },
}
export type BareFanOutAnswers = typeof answers

answerParent(answers)
