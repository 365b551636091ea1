import { type HomeShelf, readHome, saveHomeLayout } from '@carrel/api'
import { Button, Checkbox } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/queries.ts'
import { type Dragging, useDragging } from '../../lists/ordered/use-dragging.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Center, Row, Stack } from '../../ui/layout/layout.tsx'
import { announce } from '../../ui/state/live-region.tsx'
import { toast } from '../../ui/state/toasts.tsx'
import styles from './arrange-dialog.module.css'
import { type Arrangement, arrangementOf, layoutOf, moved, toggled } from './arrangement.ts'

interface ArrangeDialogProps {
  readonly layout: readonly HomeShelf[]
  readonly onClose: () => void
}

/** The style sheet has the same height. */
const rowHeight = 52

/** The dialog chooses the shelves and their order. Each change takes effect at once, behind the dialog. */
export const ArrangeDialog = ({ layout, onClose }: ArrangeDialogProps): ReactNode => {
  const { t } = useTranslation('home')
  const list = useRef<HTMLOListElement>(null)
  const [first] = useState(layout)
  const [arrangement, setArrangement] = useState(() => arrangementOf(layout))
  const save = useSave()
  const become = (next: Arrangement): void => {
    setArrangement(next)
    save(layoutOf(next))
  }
  const move = (from: number, to: number): void => {
    const shelf = arrangement.order[from]
    if (shelf === undefined || to < 0 || to >= arrangement.order.length) return
    become(moved(arrangement, from, to))
    announce(t('moved', { shelf: t(`shelf.${shelf}`), position: to + 1, count: arrangement.order.length }))
  }
  const dragging = useDragging({ element: list, rowHeight, shift: 0, count: arrangement.order.length, onDrop: move })
  const reset = (): void => save(null, (now) => setArrangement(arrangementOf(now)))
  const close = (): void => {
    onClose()
    const isOther = layoutOf(arrangement).join() !== first.join()
    if (isOther) toast({ text: t('arranged'), undo: () => save([...first]) })
  }
  return (
    <Dialog
      title={t('arrange')}
      isOpen
      onClose={close}
      actions={
        <>
          <Button variant="default" onClick={reset}>
            {t('asAtFirst')}
          </Button>
          <Button onClick={close}>{t('done')}</Button>
        </>
      }
    >
      <p className={styles.hint}>{t('arrangeHint')}</p>
      <Stack as="ol" ref={list}>
        {arrangement.order.map((shelf, index) => (
          <ShelfLine
            key={shelf}
            shelf={shelf}
            index={index}
            isShown={arrangement.shown.has(shelf)}
            dragging={dragging}
            onStep={(by) => move(index, index + by)}
            onToggle={() => become(toggled(arrangement, shelf))}
          />
        ))}
      </Stack>
    </Dialog>
  )
}

interface ShelfLineProps {
  readonly shelf: HomeShelf
  readonly index: number
  readonly isShown: boolean
  readonly dragging: Dragging
  readonly onStep: (by: 1 | -1) => void
  readonly onToggle: () => void
}

const ShelfLine = ({ shelf, index, isShown, dragging, onStep, onToggle }: ShelfLineProps): ReactNode => {
  const { t } = useTranslation('home')
  const name = t(`shelf.${shelf}`)
  return (
    <Row
      as="li"
      gap={3}
      className={styles.shelf}
      data-is-dragged={dragging.from === index}
      data-drop={dragging.to === index ? ((dragging.from ?? 0) < index ? 'after' : 'before') : undefined}
    >
      <Center
        as="button"
        type="button"
        className={styles.handle}
        aria-label={t('move', { shelf: name, position: index + 1 })}
        title={t('moveHint')}
        onPointerDown={(event) => dragging.start(event, index)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
          event.preventDefault()
          onStep(event.key === 'ArrowUp' ? -1 : 1)
        }}
      >
        {index + 1}
      </Center>
      <Checkbox className={styles.choice ?? ''} label={name} checked={isShown} onChange={onToggle} />
    </Row>
  )
}

const useSave = () => {
  const textOf = useProblemText()
  const { mutate } = useChange(saveHomeLayout, { invalidates: [readHome] })
  return (layout: HomeShelf[] | null, onDone?: (layout: readonly HomeShelf[]) => void): void =>
    mutate(
      { body: { layout } },
      {
        onSuccess: (reply) => onDone?.(reply.layout),
        onError: (error) => toast({ kind: 'problem', text: textOf(error) }),
      },
    )
}
