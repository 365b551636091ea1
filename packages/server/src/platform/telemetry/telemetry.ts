import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { type ExporterOptions, openExporter } from './exporter.ts'
import { type Attributes, attributesOf, nanoseconds, spanKinds, statusCodes } from './otlp.ts'

/** Something that is under way, which others are part of. */
export interface Part {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly isSampled: boolean
  readonly startedAt: number
}

interface PartEnd {
  readonly name: string
  readonly attributes: Attributes
  readonly hasFailed: boolean
}

export interface Telemetry {
  /** `traceparent`: what the caller says that this is part of. */
  begin(traceparent?: string): Part
  /** Statements that are asked within `work` are shown as parts of this. */
  within<Result>(part: Part, work: () => Result): Result
  endRequest(part: Part | undefined, durationMs: number, end: PartEnd): void
  /** It runs a task, as a whole of its own. */
  task<Result>(type: string, work: () => Promise<Result>): Promise<Result>
  /** A statement without its parameters has ended just now. */
  noteStatement(statement: { readonly sql: string; readonly ms: number; readonly system: string }): void
  close(): Promise<void>
}

const textLengthMax = 2000

/** There is one of these only where a collector was named: without, nothing is asked, counted or kept. */
export const openTelemetry = (options: ExporterOptions): Telemetry => {
  const exporter = openExporter(options)
  const { samplePercent } = options.collector
  const current = new AsyncLocalStorage<Part>()

  const end = (part: Part, kind: number, { name, attributes, hasFailed }: PartEnd): void => {
    if (!part.isSampled) return
    const { traceId, spanId, parentSpanId, startedAt } = part
    exporter.add({
      traceId,
      spanId,
      ...(parentSpanId !== undefined && { parentSpanId }),
      name,
      kind,
      startTimeUnixNano: nanoseconds(startedAt),
      endTimeUnixNano: nanoseconds(performance.now()),
      attributes: attributesOf(attributes),
      status: { code: hasFailed ? statusCodes.error : statusCodes.unset },
    })
  }

  return {
    begin: (traceparent) => partOf(traceparent, samplePercent),
    within: (part, work) => current.run(part, work),
    endRequest: (part, durationMs, ended) => {
      exporter.observe('http.server.request.duration', ended.attributes, durationMs)
      if (part) end(part, spanKinds.server, ended)
    },
    task: async (type, work) => {
      const part = partOf(undefined, samplePercent)
      const ended = (hasFailed: boolean): void => {
        const outcome = { 'carrel.task.type': type, 'carrel.task.outcome': hasFailed ? 'failed' : 'ended' }
        exporter.observe('carrel.task.duration', outcome, performance.now() - part.startedAt)
        end(part, spanKinds.internal, { name: `task ${type}`, attributes: outcome, hasFailed })
      }
      try {
        const result = await current.run(part, work)
        ended(false)
        return result
      } catch (error) {
        ended(true)
        throw error
      }
    },
    noteStatement: ({ sql, ms, system }) => {
      const operation = /^\s*(\w+)/.exec(sql)?.[1]?.toLowerCase() ?? 'other'
      const attributes = { 'db.system.name': system, 'db.operation.name': operation }
      exporter.observe('db.client.operation.duration', attributes, ms)
      const parent = current.getStore()
      if (!parent?.isSampled) return
      const { traceId, spanId: parentSpanId } = parent
      const startedAt = performance.now() - ms
      const part = { traceId, spanId: idOf(8), parentSpanId, isSampled: true, startedAt }
      const told = { ...attributes, 'db.query.text': sql.slice(0, textLengthMax) }
      end(part, spanKinds.client, { name: operation, attributes: told, hasFailed: false })
    },
    close: exporter.close,
  }
}

const partOf = (traceparent: string | undefined, samplePercent: number): Part => {
  const [, traceId = idOf(16), parentSpanId] = caller.exec(traceparent ?? '') ?? []
  const isSampled = Math.random() * 100 < samplePercent
  return { traceId, spanId: idOf(8), ...(parentSpanId && { parentSpanId }), isSampled, startedAt: performance.now() }
}

/** W3C Trace Context; whether it is traced is decided here, so that no caller can have everything traced. */
const caller = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/

const idOf = (bytes: number): string => randomBytes(bytes).toString('hex')
