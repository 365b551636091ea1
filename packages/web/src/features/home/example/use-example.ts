import {
  createExampleLibrary,
  deleteExampleLibrary,
  deletePreference,
  listLibraries,
  readHome,
  readOpenBooks,
  readPreferences,
  savePreference,
} from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { call } from '../../../api/call.ts'
import { invalidate, useChange, useLater } from '../../../api/queries.ts'
import { useMay } from '../../../session/me.ts'
import { useProblemText } from '../../../text/problem-text.ts'
import { toast } from '../../../ui/state/toasts.tsx'

/** It is kept with the account, so that the library is known on any device. */
interface Example {
  readonly libraryId: string
  readonly isOnTour: boolean
}

const exampleIn = (value: unknown): Partial<Example> => (typeof value === 'object' ? (value ?? {}) : {})

const key = 'web.example'
const params = { key }
const concerned = [listLibraries, readHome, readOpenBooks, readPreferences]

/** The library of drawn books that shows what it is like here, for whoever runs the server. */
export const useExample = () => {
  const { t } = useTranslation('home')
  const textOf = useProblemText()
  const mayHave = useMay('system:admin')
  const { data } = useLater(readPreferences, {})
  const example = exampleIn(data?.preferences[key])
  const onError = (error: unknown): void => toast({ kind: 'problem', text: textOf(error) })
  const make = useChange(createExampleLibrary, {
    onDone: async ({ id: libraryId }) => {
      await call(savePreference, { params, body: { value: { libraryId, isOnTour: true } satisfies Example } })
      await invalidate(...concerned)
    },
  })
  const remove = useChange(deleteExampleLibrary, {
    deletedId: example.libraryId,
    onDone: async () => {
      await call(deletePreference, { params })
      await invalidate(...concerned)
      toast({ text: t('example.removed') })
    },
  })
  const leaveTour = useChange(savePreference, { invalidates: [readPreferences] })
  return {
    mayHave,
    isThere: mayHave && data?.preferences[key] !== undefined,
    isOnTour: example.isOnTour === true,
    isBusy: make.isPending || remove.isPending,
    make: (): void => make.mutate({ body: { name: t('example.name') } }, { onError }),
    remove: (): void => remove.mutate({}, { onError }),
    leaveTour: (): void => leaveTour.mutate({ params, body: { value: { ...example, isOnTour: false } } }, { onError }),
  }
}
