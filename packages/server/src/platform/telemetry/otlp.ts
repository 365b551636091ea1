export type Attributes = Readonly<Record<string, string | number | boolean>>

/** In the JSON of OTLP 1.x, where whole numbers of 64 bits are texts. */
export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly object[]
  readonly status: { readonly code: number }
}

export const spanKinds = { internal: 1, server: 2, client: 3 } as const
export const statusCodes = { unset: 0, error: 2 } as const

export const attributesOf = (attributes: Attributes): object[] =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: valueOf(value) }))

const valueOf = (value: string | number | boolean): object => {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

/** A moment of `performance.now()`, to the microsecond. */
export const nanoseconds = (moment: number): string => `${Math.round((performance.timeOrigin + moment) * 1000)}000`
