import {
  type BookDetail,
  type ReaderLevel,
  type ReaderSettings,
  type ReaderSettingsChange,
  type ReaderSettingsLevel,
  readReaderSettings,
  saveReaderSettings,
} from '@carrel/api'
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
}

const changed = (values: ReaderSettings, change: ReaderSettingsChange): ReaderSettings =>
  Object.fromEntries(Object.entries({ ...values, ...change }).filter(([, value]) => value !== null))

/** It works out how this book is shown, from the settings for its series, its library, this device and the user. */
export const useReaderSettings = ({ seriesId }: BookDetail): ReaderSettingsInUse => {
  const input = { query: { deviceId: deviceId(), seriesId } }
  const { effective, levels } = useRead(readReaderSettings, input)
  const textOf = useProblemText()
  const { queryKey } = query(readReaderSettings, input)

  const save = (level: ReaderLevel, change: ReaderSettingsChange): void => {
    const id = levels.find((each) => each.level === level)?.id
    if (id === undefined) return
    const before = queryClient.getQueryData(queryKey)
    queryClient.setQueryData(queryKey, (known) => {
      if (!known) return known
      const next = known.body.levels.map((each) =>
        each.level === level ? { ...each, values: changed(each.values, change) } : each,
      )
      const together = Object.assign({}, ...next.map(({ values }) => values)) as ReaderSettings
      return { ...known, body: { effective: together, levels: next } }
    })
    call(saveReaderSettings, { params: { level, id }, body: { values: change } }).catch((error: unknown) => {
      queryClient.setQueryData(queryKey, before)
      toast({ kind: 'problem', text: textOf(error) })
    })
  }
  return { effective, levels, save }
}
