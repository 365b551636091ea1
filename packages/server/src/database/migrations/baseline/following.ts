import type { Tables } from '../table-definition.ts'

export const following: Tables = {
  series_follow: {
    columns: { user_id: 'text', series_id: 'text', followed_at: 'text', newest_at: 'text' },
    primaryKey: ['user_id', 'series_id'],
    foreignKeys: {
      series_follow_user: ['user_id', 'user', 'cascade'],
      series_follow_series: ['series_id', 'series', 'cascade'],
    },
    indexes: {
      series_follow_of_series: ['series_id', 'user_id'],
      series_follow_newest: ['user_id', 'newest_at desc', 'series_id desc'],
    },
  },
  arrival: {
    columns: { id: 'text', scan_id: 'text', series_id: 'text', library_id: 'text', at: 'text', told: 'integer' },
    primaryKey: ['id'],
    foreignKeys: { arrival_series: ['series_id', 'series', 'cascade'] },
    indexes: {
      arrival_of_series: ['series_id', 'scan_id'],
      arrival_to_tell: { columns: ['library_id', 'id'], where: 'told = 0' },
    },
  },
  arrival_book: {
    columns: { arrival_id: 'text', book_id: 'text' },
    primaryKey: ['arrival_id', 'book_id'],
    foreignKeys: {
      arrival_book_arrival: ['arrival_id', 'arrival', 'cascade'],
      arrival_book_book: ['book_id', 'book', 'cascade'],
    },
    indexes: { arrival_book_of_book: ['book_id'] },
  },
  notification: {
    columns: { id: 'text', user_id: 'text', arrival_id: 'text', created_at: 'text', read_at: 'text?' },
    primaryKey: ['id'],
    unique: { notification_once: ['user_id', 'arrival_id'] },
    foreignKeys: {
      notification_user: ['user_id', 'user', 'cascade'],
      notification_arrival: ['arrival_id', 'arrival', 'cascade'],
    },
    indexes: {
      notification_of_arrival: ['arrival_id'],
      notification_newest: ['user_id', 'created_at desc', 'id desc'],
      notification_unread: { columns: ['user_id', 'created_at desc', 'id desc'], where: 'read_at is null' },
    },
  },
  // Notifications go elsewhere too: to one address of each user, and into one feed.
  webhook: {
    columns: {
      user_id: 'text',
      url: 'text',
      active: 'integer',
      salt: 'text',
      failures: 'integer',
      last_delivered_at: 'text?',
      last_failed_at: 'text?',
      last_problem: 'text?',
      updated_at: 'text',
    },
    primaryKey: ['user_id'],
    foreignKeys: { webhook_user: ['user_id', 'user', 'cascade'] },
  },
  feed_key: {
    columns: { user_id: 'text', key_hash: 'text', created_at: 'text' },
    primaryKey: ['user_id'],
    unique: { feed_key_hash: ['key_hash'] },
    foreignKeys: { feed_key_user: ['user_id', 'user', 'cascade'] },
  },
}
