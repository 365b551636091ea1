import {
  type BookDetail,
  type ReaderLevel,
  readerLevels,
  type ReaderSettings,
  type ReaderSettingsChange,
  type ReaderSettingsLevel,
  readReaderSettings,
  saveReaderSettings,
} from '@carrel/api'
import { useReducer, useRef } from 'react'
import { call } from '../../../api/call.ts'
import { deviceId } from '../../../api/device.ts'
import { query, queryClient, useRead } from '../../../api/queries.ts'
import { useProblemText } from '../../../text/problem-text.ts'
import { toast } from '../../../ui/state/toasts.tsx'

export interface ReaderSettingsInUse {
  readonly effective: ReaderSettings
  readonly levels: readonly ReaderSettingsLevel[]
  /** The change is shown at once; it is reverted, with a message, if the server does not take it. */
  readonly save: (level: ReaderLevel, change: ReaderSettingsChange) => void
  /** It saves what one sees from now on: levels that count more no longer say otherwise. */
  readonly choose: (level: ReaderLevel, change: ReaderSettings) => void
}

const changed = (values: ReaderSettings, change: ReaderSettingsChange): ReaderSettings =>
  Object.fromEntries(Object.entries({ ...values, ...change }).filter(([, value]) => value !== null))

/** It works out how this book is shown, from the settings for its series, its library, this device and the user. */
export const useReaderSettings = ({ seriesId }: BookDetail): ReaderSettingsInUse => {
  const input = { query: { deviceId: deviceId(), ...(seriesId !== null && { seriesId }) } }
  const { effective, levels } = useRead(readReaderSettings, input)
  const textOf = useProblemText()
  const { queryKey } = query(readReaderSettings, input)
  const send = useSending()
  // The cache tells its readers a moment later: a slider would jump back until then.
  const [, redraw] = useReducer((count: number) => count + 1, 0)

  const save = (level: ReaderLevel, change: ReaderSettingsChange): void => {
    const id = levels.find((each) => each.level === level)?.id
    if (id === undefined) return
    const before = queryClient.getQueryData(queryKey)
    queryClient.setQueryData(queryKey, (current) => {
      if (!current) return current
      const next = current.body.levels.map((each) =>
        each.level === level ? { ...each, values: changed(each.values, change) } : each,
      )
      const together = Object.assign({}, ...next.map(({ values }) => values)) as ReaderSettings
      return { ...current, body: { effective: together, levels: next } }
    })
    redraw()
    send({ level, id, change }).catch((error: unknown) => {
      queryClient.setQueryData(queryKey, before)
      toast({ kind: 'problem', text: textOf(error) })
    })
  }
  const choose = (level: ReaderLevel, change: ReaderSettings): void => {
    save(level, change)
    const names = Object.keys(change) as (keyof ReaderSettings)[]
    for (const stronger of readerLevels.slice(readerLevels.indexOf(level) + 1)) {
      const strongerValues = levels.find((each) => each.level === stronger)?.values ?? {}
      const taken = names.filter((name) => strongerValues[name] !== undefined)
      if (taken.length > 0) save(stronger, Object.fromEntries(taken.map((name) => [name, null])))
    }
  }
  return { effective, levels, save, choose }
}

interface Sent {
  readonly level: ReaderLevel
  readonly id: string
  readonly change: ReaderSettingsChange
}

/** One request of a level at a time: what a slider has passed in the meantime is left out. */
const useSending = (): ((change: Sent) => Promise<void>) => {
  const underWay = useRef(new Set<ReaderLevel>())
  const waiting = useRef(new Map<ReaderLevel, ReaderSettingsChange>())
  return async ({ level, id, change }) => {
    waiting.current.set(level, { ...waiting.current.get(level), ...change })
    if (underWay.current.has(level)) return
    underWay.current.add(level)
    try {
      for (let values = waiting.current.get(level); values !== undefined; values = waiting.current.get(level)) {
        waiting.current.delete(level)
        await call(saveReaderSettings, { params: { level, id }, body: { values } })
      }
    } finally {
      waiting.current.delete(level)
      underWay.current.delete(level)
    }
  }
}
