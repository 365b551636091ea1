import {
  type FilterPresetDto,
  type Home,
  homeShelves,
  listFilterPresets,
  readHome,
  saidByPiles,
  saveHomeLayout,
  type SearchShelf,
  searchShelfPrefix,
} from '@carrel/api'
import { Button, Checkbox, Switch } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { deviceId } from '../../api/device.ts'
import { useChange, useLater } from '../../api/queries.ts'
import { type Dragging, useDragging } from '../../lists/ordered/use-dragging.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Center, Row, Stack } from '../../ui/layout/layout.tsx'
import { announce } from '../../ui/state/live-region.tsx'
import { toast } from '../../ui/state/toasts.tsx'
import styles from './arrange-dialog.module.css'
import { type Arrangement, arrangementOf, layoutOf, moved, toggled } from './arrangement.ts'
import { isHomeShelf, type LayoutItem } from './shelves.ts'

interface ArrangeDialogProps {
  readonly home: Pick<Home, 'layout' | 'isOfDevice'>
  readonly onClose: () => void
}

/** The searches that somebody has saved stand among the shelves: the dialog waits for them. */
export const ArrangeDialog = (props: ArrangeDialogProps): ReactNode => {
  const { data, isError } = useLater(listFilterPresets, { query: {} })
  return data === undefined && !isError ? null : <Arranging {...props} presets={data?.presets ?? []} />
}

/** The style sheet has the same height. */
const rowHeight = 52

const searchShelf = ({ id }: FilterPresetDto): SearchShelf => `${searchShelfPrefix}${id}`

interface ArrangingProps extends ArrangeDialogProps {
  readonly presets: readonly FilterPresetDto[]
}

/** The dialog chooses the shelves and their order. Each change takes effect at once, behind the dialog. */
const Arranging = ({ home, presets, onClose }: ArrangingProps): ReactNode => {
  const { t } = useTranslation('home')
  const list = useRef<HTMLOListElement>(null)
  const nameOf = useShelfName(presets)
  const arranged = useArranged(home, presets)
  const { arrangement } = arranged
  const move = (from: number, to: number): void => {
    const shelf = arrangement.order[from]
    if (shelf === undefined || to < 0 || to >= arrangement.order.length) return
    arranged.become(moved(arrangement, from, to))
    announce(t('moved', { shelf: nameOf(shelf), position: to + 1, count: arrangement.order.length }))
  }
  const dragging = useDragging({ element: list, rowHeight, shift: 0, count: arrangement.order.length, onDrop: move })
  const close = (): void => {
    onClose()
    if (arranged.isOther) toast({ text: t('arranged'), undo: arranged.putBack })
  }
  return (
    <Dialog
      title={t('arrange')}
      isOpen
      onClose={close}
      actions={
        <>
          <Button variant="default" onClick={arranged.reset}>
            {t('asAtFirst')}
          </Button>
          <Button onClick={close}>{t('done')}</Button>
        </>
      }
    >
      <p className={styles.hint}>{t('arrangeHint')}</p>
      <Switch
        className={styles.device ?? ''}
        label={t('onlyHere')}
        description={t('onlyHereHint')}
        checked={arranged.isOfDevice}
        onChange={(event) => arranged.setOfDevice(event.currentTarget.checked)}
      />
      <Stack as="ol" ref={list}>
        {arrangement.order.map((shelf, index) => (
          <ShelfLine
            key={shelf}
            name={nameOf(shelf)}
            index={index}
            isShown={arrangement.shown.has(shelf)}
            dragging={dragging}
            onStep={(by) => move(index, index + by)}
            onToggle={() => arranged.become(toggled(arrangement, shelf))}
          />
        ))}
      </Stack>
    </Dialog>
  )
}

const useShelfName = (presets: readonly FilterPresetDto[]): ((item: LayoutItem) => string) => {
  const { t } = useTranslation('home')
  return (item) =>
    isHomeShelf(item) ? t(`shelf.${item}`) : (presets.find((preset) => searchShelf(preset) === item)?.name ?? '')
}

const usual = homeShelves.filter((shelf) => !saidByPiles.includes(shelf))

/** Where it is kept: for this device, or for all that have none of their own. */
const useArranged = (home: ArrangeDialogProps['home'], presets: readonly FilterPresetDto[]) => {
  const all: readonly LayoutItem[] = [...homeShelves, ...presets.map(searchShelf)]
  const [first] = useState(home)
  const [isOfDevice, setIsOfDevice] = useState(home.isOfDevice)
  const [arrangement, setArrangement] = useState(() => arrangementOf(home.layout, all))
  const save = useSave()
  const take = (layout: readonly LayoutItem[]): void => setArrangement(arrangementOf(layout, all))
  const here = { deviceId: deviceId() }
  return {
    arrangement,
    isOfDevice,
    isOther: layoutOf(arrangement).join() !== first.layout.join() || isOfDevice !== first.isOfDevice,
    become: (next: Arrangement): void => {
      setArrangement(next)
      save({ layout: layoutOf(next), ...(isOfDevice && here) })
    },
    reset: (): void => save({ layout: isOfDevice ? [...usual] : null, ...(isOfDevice && here) }, () => take(usual)),
    setOfDevice: (isOn: boolean): void => {
      setIsOfDevice(isOn)
      save({ layout: isOn ? layoutOf(arrangement) : null, ...here }, isOn ? undefined : take)
    },
    putBack: (): void => {
      if (!first.isOfDevice && isOfDevice) save({ layout: null, ...here })
      save({ layout: [...first.layout], ...(first.isOfDevice && here) })
    },
  }
}

interface ShelfLineProps {
  readonly name: string
  readonly index: number
  readonly isShown: boolean
  readonly dragging: Dragging
  readonly onStep: (by: 1 | -1) => void
  readonly onToggle: () => void
}

const ShelfLine = ({ name, index, isShown, dragging, onStep, onToggle }: ShelfLineProps): ReactNode => {
  const { t } = useTranslation('home')
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

interface Layout {
  readonly layout: LayoutItem[] | null
  readonly deviceId?: string
}

const useSave = () => {
  const textOf = useProblemText()
  const { mutate } = useChange(saveHomeLayout, { invalidates: [readHome] })
  return (body: Layout, onDone?: (layout: readonly LayoutItem[]) => void): void =>
    mutate(
      { body },
      {
        onSuccess: (reply) => onDone?.(reply.layout),
        onError: (error) => toast({ kind: 'problem', text: textOf(error) }),
      },
    )
}
