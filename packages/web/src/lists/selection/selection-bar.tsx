import type { BookDto, SeriesDto } from '@carrel/api'
import { ActionIcon, Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '../../session/me.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Row } from '../../ui/layout/layout.tsx'
import { useShortcuts } from '../../ui/keyboard/shortcuts.tsx'
import { useItemText } from '../item/item-text.ts'
import type { Kind } from '../kinds.ts'
import styles from './selection-bar.module.css'
import { isBook, kindOf, type SelectionWindow, SelectionWindows } from './selection-windows.tsx'
import { useMarks } from '../marks/use-marks.ts'
import { selectionMax, type SelectionControl } from './use-selection.ts'
import { useWantItems } from '../marks/use-want-to-read.ts'

interface SelectionBarProps {
  /** Absent: some are series and some are books. */
  readonly kind: Kind | undefined
  readonly items: readonly (SeriesDto | BookDto)[]
  readonly selection: Pick<SelectionControl<unknown>, 'isChoosing' | 'clear' | 'selectAll'>
  readonly total: number | undefined
}

/** It offers actions on all chosen entries. */
export const SelectionBar = ({ kind, items, selection, total }: SelectionBarProps): ReactNode => {
  const { t } = useTranslation('lists')
  const text = useItemText()
  const { isChoosing, clear, selectAll } = selection
  const size = items.length
  const counted = kind === undefined ? t('selected', { count: size }) : text.count(kind, size)
  useShortcuts(t('shortcuts.list'), isChoosing ? [{ keys: 'Escape', label: t('endSelection'), run: clear }] : [])
  if (!isChoosing) return null
  return (
    <Row as="section" gap={3} className={styles.bar} aria-label={t('selection')}>
      <ActionIcon variant="transparent" className={styles.close ?? ''} aria-label={t('endSelection')} onClick={clear}>
        <Icon name="close" />
      </ActionIcon>
      <p className={styles.count}>{size === 0 ? t('choose') : counted}</p>
      {total !== undefined && size < total && total <= selectionMax ? (
        <Button variant="subtle" onClick={() => selectAll(total)}>
          {t('selectAll')}
        </Button>
      ) : null}
      <Row gap={1} align="stretch" className={styles.actions}>
        <Actions items={items} onDone={clear} {...(kind !== undefined && { kind })} />
      </Row>
    </Row>
  )
}

interface ActionsProps {
  readonly kind?: Kind
  readonly items: readonly (SeriesDto | BookDto)[]
  readonly onDone: () => void
}

const Actions = ({ items, onDone, ...props }: ActionsProps): ReactNode => {
  const { t } = useTranslation('lists')
  const marks = useMarks()
  const want = useWantItems()
  const mayMark = useMay('progress:write')
  const isEmpty = items.length === 0
  const isWanted = !isEmpty && items.every(({ wantToRead }) => wantToRead)
  const mark = (as: 'read' | 'unread'): void => {
    void marks.markItems(items, as)
    onDone()
  }
  // Where there are both, what is done to either alone is done without the other.
  const kind = props.kind ?? kindOf(items)
  return (
    <>
      {mayMark ? (
        <>
          <Marks isOff={isEmpty} onMark={mark} />
          <BarAction
            icon="heart"
            label={t(isWanted ? 'menu.dropWanted' : 'wantToRead')}
            short={t('short.want')}
            isOff={isEmpty}
            onClick={() => {
              want(items, !isWanted)
              onDone()
            }}
          />
        </>
      ) : null}
      {kind === undefined ? null : <ActionsOfKind kind={kind} items={items} onDone={onDone} />}
    </>
  )
}

const ActionsOfKind = ({ kind, items, onDone }: ActionsProps & { readonly kind: Kind }): ReactNode => {
  const { t } = useTranslation('lists')
  const [open, setOpen] = useState<SelectionWindow>()
  const mayEdit = useMay(`${kind}:write`)
  const mayArrange = useMay('series:write')
  const mayAdd = useMay(kind === 'series' ? 'collections:write' : 'readlists:write')
  const isEmpty = items.length === 0
  const done = (): void => {
    setOpen(undefined)
    onDone()
  }
  return (
    <>
      {mayAdd ? (
        <BarAction
          icon={kind === 'series' ? 'collection' : 'list'}
          label={t(kind === 'series' ? 'addToCollection' : 'addToReadList')}
          short={t(kind === 'series' ? 'short.collection' : 'short.readList')}
          isOff={isEmpty}
          onClick={() => setOpen('add')}
        />
      ) : null}
      {mayEdit ? (
        <BarAction
          icon="edit"
          label={t('edit')}
          short={t('short.edit')}
          isOff={isEmpty}
          onClick={() => setOpen('edit')}
        />
      ) : null}
      {mayArrange ? <ByHand kind={kind} items={items} onOpen={setOpen} /> : null}
      <SelectionWindows kind={kind} items={items} open={open} onDone={done} onClose={() => setOpen(undefined)} />
    </>
  )
}

interface MarksProps {
  readonly isOff: boolean
  readonly onMark: (as: 'read' | 'unread') => void
}

const Marks = ({ isOff, onMark }: MarksProps): ReactNode => {
  const { t } = useTranslation('lists')
  return (
    <>
      <BarAction
        icon="check"
        label={t('markRead')}
        short={t('short.read')}
        isOff={isOff}
        onClick={() => onMark('read')}
      />
      <BarAction
        icon="undo"
        label={t('markUnread')}
        short={t('short.unread')}
        isOff={isOff}
        onClick={() => onMark('unread')}
      />
    </>
  )
}

interface ByHandProps {
  readonly kind: Kind
  readonly items: readonly (SeriesDto | BookDto)[]
  readonly onOpen: (window: SelectionWindow) => void
}

/** Where books belong is said of books, and of series as a whole. */
const ByHand = ({ kind, items, onOpen }: ByHandProps): ReactNode => {
  const { t } = useTranslation('lists')
  if (kind === 'series')
    return (
      <BarAction
        icon="merge"
        label={t('mergeSeries')}
        short={t('short.merge')}
        isOff={items.length < 2}
        onClick={() => onOpen('merge')}
      />
    )
  const isOneSeries = new Set(items.filter(isBook).map(({ seriesId }) => seriesId)).size === 1
  return (
    <>
      <BarAction
        icon="series"
        label={t('moveToSeries')}
        short={t('short.move')}
        isOff={items.length === 0}
        onClick={() => onOpen('move')}
      />
      {isOneSeries ? (
        <BarAction
          icon="split"
          label={t('splitOff')}
          short={t('short.split')}
          isOff={false}
          onClick={() => onOpen('split')}
        />
      ) : null}
    </>
  )
}

interface BarActionProps {
  readonly icon: IconName
  readonly label: string
  /** A word of the label, for where there is little room. */
  readonly short: string
  readonly isOff: boolean
  readonly onClick: () => void
}

const BarAction = ({ icon, label, short, isOff, onClick }: BarActionProps): ReactNode => (
  <Row
    as="button"
    gap={2}
    type="button"
    className={styles.action}
    disabled={isOff}
    aria-label={label}
    title={label}
    onClick={onClick}
  >
    <Icon name={icon} />
    <span aria-hidden="true" className={styles.long}>
      {label}
    </span>
    <span aria-hidden="true" className={styles.short}>
      {short}
    </span>
  </Row>
)
