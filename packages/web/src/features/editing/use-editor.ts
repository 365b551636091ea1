import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiProblem, call } from '../../api/call.ts'
import { etagOf, invalidate, useChange, useRead } from '../../api/queries.ts'
import { useMe } from '../../session/me.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { toast } from '../../ui/state/toasts.tsx'
import {
  afterSaving,
  conflictsOf,
  type Draft,
  insist,
  type Metadata,
  patchOf,
  typed,
  without,
  wrongIn,
} from './draft.ts'
import type { Entity } from './entities.ts'
import { keepDraft, readDraft } from './stored-drafts.ts'

export interface Editor {
  readonly entity: Entity
  readonly id: string
  /** These values are shown to everybody now. */
  readonly now: Metadata
  readonly draft: Draft
  readonly wasKept: boolean
  readonly conflicts: readonly string[]
  readonly wrong: readonly string[]
  readonly isSaving: boolean
  readonly problem: unknown
  /** The typed value wins over the stored one. */
  valueOf(name: string): unknown
  set(name: string, value: unknown): void
  takeTheirs(name: string): void
  keepMine(name: string): void
  discard(): void
  save(): void
  undo(historyId: string): void
  takeBack(field: string): void
}

/** A form over the metadata of one series or book: what is typed lives beside what is there, and goes when it is saved. */
export const useEditor = (entity: Entity, id: string): Editor => {
  const { t } = useTranslation('editing')
  const now = useRead(entity.read, { params: { id } })
  const storedDraft = useStoredDraft(id)
  const { draft, wasKept, change } = storedDraft
  const { undo, takeBack } = useTakingBack(entity, id)
  const { send, isSaving, problem } = useSending({ entity, id, now, storedDraft, undo })
  const conflicts = conflictsOf(draft, now)
  const wrong = wrongIn(draft)

  const save = (): void => {
    if (isSaving || wrong.length > 0 || conflicts.length > 0 || Object.keys(draft).length === 0) return
    void send(draft, true)
  }
  useSaveKey(save)
  const discard = (): void => {
    const before = draft
    change(() => ({}))
    storedDraft.isNew()
    toast({ text: t('discarded'), undo: () => change(() => before) })
  }
  return {
    entity,
    id,
    now,
    draft,
    wasKept,
    conflicts,
    wrong,
    isSaving,
    problem,
    valueOf: (name) => {
      const typedHere = draft[name]
      return typedHere ? typedHere.value : now[name]
    },
    set: (name, value) => change((before) => typed(before, now, [name, value])),
    takeTheirs: (name) => change((before) => without(before, name)),
    keepMine: (name) => change((before) => insist(before, now, name)),
    discard,
    save,
    undo,
    takeBack: (field) => {
      change((before) => without(before, field))
      takeBack(field, now)
    },
  }
}

/** The draft is kept when the user leaves the page. */
const useStoredDraft = (id: string) => {
  const owner = useMe().id
  const [draft, setDraft] = useState(() => readDraft(owner, id))
  const [wasKept, setWasKept] = useState(() => Object.keys(draft).length > 0)
  const change = (next: (draft: Draft) => Draft): void =>
    setDraft((before) => {
      const after = next(before)
      keepDraft(owner, id, after)
      return after
    })
  return { draft, wasKept, change, isNew: () => setWasKept(false) }
}

interface Sending {
  readonly entity: Entity
  readonly id: string
  readonly now: Metadata
  readonly storedDraft: ReturnType<typeof useStoredDraft>
  readonly undo: (historyId: string) => void
}

const isOutdated = (error: unknown): boolean => error instanceof ApiProblem && error.code === 'precondition_failed'

const useSending = ({ entity, id, now, storedDraft, undo }: Sending) => {
  const { t } = useTranslation('editing')
  const input = { params: { id } }
  const edit = useChange(entity.edit, { invalidates: [entity.read, entity.sources, entity.history, entity.readTitle] })
  /** Somebody else may have changed something by the time one undoes: what was saved is remembered now. */
  const readLatest = (): Promise<string | undefined> =>
    call(entity.history, { ...input, query: { pageSize: 1 } }).then(
      ({ body }) => body.data[0]?.id,
      () => undefined,
    )
  const send = async (sent: Draft, mayRetry: boolean): Promise<void> => {
    try {
      const body = patchOf(sent, now)
      await edit.mutateAsync({ ...input, body, ifMatch: etagOf(entity.read, input) })
      storedDraft.change((before) => afterSaving(before, sent))
      storedDraft.isNew()
      const saved = Object.keys(body).length === 0 ? undefined : await readLatest()
      toast({ text: t('saved'), ...(saved !== undefined && { undo: () => undo(saved) }) })
    } catch (error) {
      if (!isOutdated(error)) return
      // The other user's change is shown beside the draft; if it was in other fields, both fit.
      await invalidate(entity.read, entity.sources, entity.history)
      const { body } = await call(entity.read, input)
      if (mayRetry && conflictsOf(sent, body).length === 0) await send(sent, false)
    }
  }
  return { send, isSaving: edit.isPending, problem: isOutdated(edit.error) ? null : edit.error }
}

/** Ctrl+S and ⌘S, as everywhere. */
const useSaveKey = (save: () => void): void => {
  const latest = useRef(save)
  useEffect(() => {
    latest.current = save
  })
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      latest.current()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}

/** It reverts a change of the past, or withdraws the user's own value of a field. Each can be undone in turn. */
const useTakingBack = (entity: Entity, id: string) => {
  const { t } = useTranslation('editing')
  const textOf = useProblemText()
  const input = { params: { id } }
  const invalidates = [entity.read, entity.sources, entity.history, entity.readTitle]
  const failed = (error: unknown): void => toast({ kind: 'problem', text: textOf(error) })
  const undoing = useChange(entity.undo, { invalidates })
  const takingBack = useChange(entity.takeBack, { invalidates })
  const saying = useChange(entity.edit, { invalidates })

  const undo = (historyId: string): void =>
    undoing.mutate(
      { ...input, body: { historyId }, ifMatch: etagOf(entity.read, input) },
      {
        onError: failed,
        onSuccess: ({ conflicts }) => {
          if (conflicts.length === 0) toast({ text: t('undone') })
          else
            toast({
              kind: 'problem',
              text: t('undoneExcept', { count: conflicts.length }),
            })
        },
      },
    )
  const takeBack = (field: string, before: Metadata): void =>
    takingBack.mutate(
      { params: { id, field }, ifMatch: etagOf(entity.read, input) },
      {
        onError: failed,
        onSuccess: () =>
          toast({
            text: t('takenBack'),
            undo: () => saying.mutate({ ...input, body: { [field]: before[field] } }, { onError: failed }),
          }),
      },
    )
  return { undo, takeBack }
}
