import {
  addToCollection,
  addToReadList,
  type CollectionDto,
  createCollection,
  createReadList,
  listCollections,
  listReadLists,
  type ReadListDto,
  removeFromCollection,
  removeFromReadList,
} from '@carrel/api'
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/call.ts'
import { queryClient, useLater } from '../../api/queries.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Columns, Stack } from '../../ui/layout/layout.tsx'
import { toast } from '../../ui/state/toasts.tsx'
import styles from './add-to-list.module.css'
import type { Kind } from '../kinds.ts'
import { inTurns } from '../marks/marks.ts'

interface AddToListProps {
  readonly kind: Kind
  readonly ids: readonly string[]
  readonly onDone: () => void
  readonly onClose: () => void
}

interface Target {
  readonly id: string
  readonly name: string
  readonly count: number
}

const targetOf = (list: CollectionDto | ReadListDto): Target => ({
  id: list.id,
  name: list.name,
  count: 'bookCount' in list ? list.bookCount : list.seriesCount,
})

const add = async (kind: Kind, { id }: Target, ids: readonly string[]): Promise<Target> => {
  const params = { id }
  if (kind === 'series') return targetOf((await call(addToCollection, { params, body: { seriesIds: [...ids] } })).body)
  return targetOf((await call(addToReadList, { params, body: { bookIds: [...ids] } })).body)
}

const takeOut = (kind: Kind, { id }: Target, ids: readonly string[]): Promise<void> =>
  inTurns(ids, (member) =>
    kind === 'series'
      ? call(removeFromCollection, { params: { id, seriesId: member } })
      : call(removeFromReadList, { params: { id, bookId: member } }),
  )

const create = async (kind: Kind, name: string): Promise<Target> =>
  targetOf(
    kind === 'series'
      ? (await call(createCollection, { body: { name } })).body
      : (await call(createReadList, { body: { name } })).body,
  )

const readAgain = (): Promise<void> =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey: [name] }) => /\/(collections|readlists)\b/.test(String(name)),
  })

/** Series into a collection, books into a read list: one that is there, or a new one. */
export const AddToList = ({ kind, ids, onDone, onClose }: AddToListProps): ReactNode => {
  const { t } = useTranslation('lists')
  const textOf = useProblemText()
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const targets = useTargets(kind)
  const typedName = typed.trim()
  const matching = targets.filter(({ name }) => name.toLowerCase().includes(typedName.toLowerCase()))
  const attempt = async (targetFor: () => Promise<Target>): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    try {
      await addTo(await targetFor())
      onDone()
    } catch (error) {
      setProblem(textOf(error))
    }
    await readAgain()
    setBusy(false)
  }
  const addTo = async (target: Target): Promise<void> => {
    const after = await add(kind, target, ids)
    // Entries that were in the list before stay in it: only when all are new can undo know which to remove.
    const areNew = after.count - target.count === ids.length
    const undo = (): void =>
      void takeOut(kind, target, ids)
        .catch((error: unknown) => toast({ kind: 'problem', text: textOf(error) }))
        .then(readAgain)
    toast({ text: t('addedTo', { count: after.count - target.count, name: target.name }), ...(areNew && { undo }) })
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const same = targets.find(({ name }) => name.toLowerCase() === typedName.toLowerCase())
    void attempt(async () => same ?? (await create(kind, typedName)))
  }
  return (
    <Dialog title={t(kind === 'series' ? 'addToCollection' : 'addToReadList')} isOpen onClose={onClose}>
      <Form onSubmit={submit} problem={problem}>
        <TextInput
          label={t('findOrName')}
          data-autofocus
          maxLength={200}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Targets kind={kind} targets={matching} onChoose={(target) => void attempt(async () => target)} />
        {typedName === '' ? null : (
          <Button type="submit" loading={isBusy} leftSection={<Icon name="plus" size="small" />}>
            {t('createNamed', { name: typedName })}
          </Button>
        )}
      </Form>
    </Dialog>
  )
}

/** Automatic collections choose by themselves. */
const useTargets = (kind: Kind): readonly Target[] => {
  const query = { pageSize: 500 } as const
  const collections = useLater(listCollections, { query }, { enabled: kind === 'series' })
  const lists = useLater(listReadLists, { query }, { enabled: kind === 'books' })
  return kind === 'series'
    ? (collections.data?.data ?? []).filter(({ automatic }) => !automatic).map(targetOf)
    : (lists.data?.data ?? []).map(targetOf)
}

interface TargetsProps extends Pick<AddToListProps, 'kind'> {
  readonly targets: readonly Target[]
  readonly onChoose: (target: Target) => void
}

const Targets = ({ kind, targets, onChoose }: TargetsProps): ReactNode => (
  <Stack as="ul" className={styles.targets}>
    {targets.map((target) => (
      <li key={target.id}>
        <Columns
          as="button"
          gap={3}
          align="center"
          type="button"
          className={styles.target}
          onClick={() => onChoose(target)}
        >
          <Icon name={kind === 'series' ? 'collection' : 'list'} />
          <span dir="auto">{target.name}</span>
          <span className={styles.count}>{target.count}</span>
        </Columns>
      </li>
    ))}
  </Stack>
)
