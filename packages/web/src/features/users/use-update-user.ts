import {
  listGroupsOfUser,
  listUsers,
  readAccessGroup,
  readEffectiveAccess,
  readMe,
  readUser,
  updateUser,
  type UserDto,
  type UserPatch,
} from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { ApiProblem, call } from '../../api/call.ts'
import { invalidate, useChange } from '../../api/queries.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { toast } from '../../ui/state/toasts.tsx'

interface UserUpdate {
  readonly body: UserPatch
  /** This patch undoes the change; absent when nothing can. */
  readonly undo?: UserPatch
  readonly text: string
  readonly onDone?: () => void
}

/**
 * It changes a user, says so, and offers to undo it. The change refers to the values shown; a sign-in meanwhile does
 * not conflict with it.
 */
export const useUpdateUser = (shown: UserDto) => {
  const { t } = useTranslation('users')
  const textOf = useProblemText()
  const input = { params: { id: shown.id } }
  const change = useChange(updateUser, {
    invalidates: [readUser, listUsers, readEffectiveAccess, listGroupsOfUser, readAccessGroup, readMe],
  })
  const problemText = (error: unknown): string => {
    const code = error instanceof ApiProblem ? error.code : undefined
    if (code === 'conflict') return t('lastAdmin')
    return code === 'already_exists' ? t('taken') : textOf(error)
  }
  const complain = (error: unknown): void => toast({ kind: 'problem', text: problemText(error) })
  const putBack = async (body: UserPatch): Promise<void> => {
    const { etag } = await call(readUser, input)
    change.mutate({ ...input, body, ifMatch: etag }, { onError: complain })
  }
  const save = async ({ body, undo, text, onDone }: UserUpdate): Promise<void> => {
    const { body: current, etag } = await call(readUser, input)
    const ifMatch = isSame(shown, current) ? etag : changedMeanwhile
    change.mutate(
      { ...input, body, ifMatch },
      {
        onError: () => void invalidate(readUser),
        onSuccess: () => {
          onDone?.()
          toast({ text, ...(undo && { undo: () => void putBack(undo).catch(complain) }) })
        },
      },
    )
  }
  return {
    isPending: change.isPending,
    problem: change.error ? problemText(change.error) : undefined,
    save: (options: UserUpdate): void => void save(options).catch(complain),
  }
}

/** A tag that no record has. */
const changedMeanwhile = '"changed-meanwhile"'

const isSame = (one: UserDto, other: UserDto): boolean => {
  const serialize = (user: UserDto): string => JSON.stringify({ ...user, lastLoginAt: null, updatedAt: null })
  return serialize(one) === serialize(other)
}
