import { ActionIcon, Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../ui/icon.tsx'
import type { Kind } from '../kinds.ts'
import { columnsOf, toggleColumn, useColumns } from './columns.ts'
import styles from './column-menu.module.css'

/** Somebody chooses what a table shows, while it shows it. */
export const ColumnMenu = ({ kind }: { readonly kind: Kind }): ReactNode => {
  const { t } = useTranslation('lists')
  const shown = useColumns(kind)
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" className={styles.button ?? ''} aria-label={t('columns')} title={t('columns')}>
          <Icon name="table" size="small" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {columnsOf[kind].map((name) => (
          <Menu.CheckboxItem
            key={name}
            checked={shown.includes(name)}
            closeMenuOnClick={false}
            onChange={() => toggleColumn(kind, name)}
          >
            {t(`column.${name}`)}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
