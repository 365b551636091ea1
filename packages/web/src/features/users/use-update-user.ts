import {
  listGroupsOfUser,
  listUsers,
  readAccessGroup,
  readEffectiveAccess,
  readMe,
  readUser,
  updateUser,
  type UserPatch,
} from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { ApiProblem } from '../../api/call.ts'
import { etagOf, useChange } from '../../api/queries.ts'
import { useProblemText } from '../../problem-text.ts'
import { toast } from '../../ui/toasts.tsx'

interface Wish {
  readonly body: UserPatch
  /** What puts it back; nothing where nothing can. */
  readonly undo?: UserPatch
  readonly text: string
  readonly onDone?: () => void
}

/** Changes somebody, says so, and offers to put it back. */
export const useUpdateUser = (id: string) => {
  const { t } = useTranslation('users')
  const textOf = useProblemText()
  const input = { params: { id } }
  const change = useChange(updateUser, {
    invalidates: [readUser, listUsers, readEffectiveAccess, listGroupsOfUser, readAccessGroup, readMe],
  })
  const problemText = (error: unknown): string => {
    const code = error instanceof ApiProblem ? error.code : undefined
    if (code === 'conflict') return t('lastAdmin')
    return code === 'already_exists' ? t('taken') : textOf(error)
  }
  const putBack = (body: UserPatch): void =>
    change.mutate(
      { ...input, body, ifMatch: etagOf(readUser, input) },
      { onError: (error) => toast({ kind: 'problem', text: problemText(error) }) },
    )
  return {
    isPending: change.isPending,
    problem: change.error ? problemText(change.error) : undefined,
    save: ({ body, undo, text, onDone }: Wish): void =>
      change.mutate(
        { ...input, body, ifMatch: etagOf(readUser, input) },
        {
          onSuccess: () => {
            onDone?.()
            toast({ text, ...(undo && { undo: () => putBack(undo) }) })
          },
        },
      ),
  }
}
