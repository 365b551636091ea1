import {
  type LibraryDto,
  type LibraryPatch,
  listLibraries,
  previewLibrary,
  readLibrary,
  updateLibrary,
} from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { etagOf, useChange } from '../../../api/queries.ts'
import { useProblem, useProblemText } from '../../../text/problem-text.ts'
import { toast } from '../../../ui/state/toasts.tsx'
import { changesOf, draftOf } from './draft.ts'

/** It saves what has been changed, and puts it back when somebody wants that. */
export const useSaving = (library: LibraryDto, onSaved: () => void) => {
  const { t } = useTranslation('libraries')
  const textOf = useProblemText()
  const problemOf = useProblem()
  const params = { id: library.id }
  const saving = useChange(updateLibrary, { invalidates: [readLibrary, listLibraries] })
  const undoing = useChange(updateLibrary, { invalidates: [readLibrary, listLibraries] })
  const previewing = useChange(previewLibrary)
  const putBack = async (after: LibraryDto): Promise<void> => {
    const body = changesOf(draftOf(after), draftOf(library))
    // A change of the grouping needs a preview, undoing it as well.
    const confirmPreview =
      body.grouping && (await previewing.mutateAsync({ params, body: { grouping: body.grouping } })).previewId
    await undoing.mutateAsync({ params, body: { ...body, ...(confirmPreview !== undefined && { confirmPreview }) } })
    toast({ text: t('putBack') })
  }
  const save = (changes: LibraryPatch, previewId: string | undefined): void =>
    saving.mutate(
      {
        params,
        body: { ...changes, ...(changes.grouping && previewId !== undefined && { confirmPreview: previewId }) },
        ifMatch: etagOf(readLibrary, { params }),
      },
      {
        onSuccess: (after) => {
          onSaved()
          const undo = (): void =>
            void putBack(after).catch((error: unknown) => toast({ kind: 'problem', text: textOf(error) }))
          toast({ text: t('saved', { name: after.name }), undo })
        },
      },
    )
  return { save, isBusy: saving.isPending, problem: problemOf(saving.error) }
}
