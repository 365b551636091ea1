import { ActionIcon, NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import toolbar from '../../lists/search/list-toolbar.module.css'
import { SizeSlider } from '../../lists/search/list-toolbar.tsx'
import { useGoTo } from '../../lists/search/use-go-to.ts'
import { paths } from '../../navigation/paths.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Row, Text } from '../../ui/layout/layout.tsx'
import { wantToReadOrders, type WantToReadSort } from './orders.ts'

interface ToolbarProps {
  readonly sort: WantToReadSort
  readonly view: 'rows' | undefined
  readonly total: number | undefined
  readonly onSelect: () => void
}

/** It stands where that of other lists stands, and shows the count, the order and the view. */
export const WantToReadToolbar = ({ sort, view, total, onSelect }: ToolbarProps): ReactNode => {
  const { t } = useTranslation('want-to-read')
  const { t: tOfLists } = useTranslation('lists')
  const goTo = useGoTo()
  const go = (next: Partial<Pick<ToolbarProps, 'sort' | 'view'>>): void => {
    const to = { sort, view, ...next }
    goTo(paths.wantToRead({ sort: to.sort === 'custom' ? undefined : to.sort, view: to.view }))()
  }
  const isRows = view === 'rows'
  return (
    <Row gap={2} wrap className={toolbar.bar} role="group" aria-label={tOfLists('toolbar')}>
      <Text quiet className={toolbar.total}>
        {total === undefined ? '\u00A0' : t('count', { count: total })}
      </Text>
      <NativeSelect
        aria-label={t('sortBy')}
        value={sort}
        data={wantToReadOrders.map((value) => ({ value, label: t(`sort.${value}`) }))}
        onChange={({ currentTarget: { value } }) =>
          go({ sort: wantToReadOrders.find((each) => each === value) ?? 'custom' })
        }
      />
      <Row gap={1} align="stretch">
        <ToolbarIcon
          icon={isRows ? 'grid' : 'list'}
          label={isRows ? tOfLists('asGrid') : t('asRows')}
          onClick={() => go({ view: isRows ? undefined : 'rows' })}
        />
        {isRows ? null : <ToolbarIcon icon="check" label={tOfLists('select')} onClick={onSelect} />}
      </Row>
      {isRows ? null : <SizeSlider />}
    </Row>
  )
}

interface ToolbarIconProps {
  readonly icon: IconName
  readonly label: string
  readonly onClick: () => void
}

const ToolbarIcon = ({ icon, label, onClick }: ToolbarIconProps): ReactNode => (
  <ActionIcon variant="default" className={toolbar.icon ?? ''} aria-label={label} title={label} onClick={onClick}>
    <Icon name={icon} size="small" />
  </ActionIcon>
)
