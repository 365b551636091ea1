import type { Tables } from '../table-definition.ts'

export const recommendations: Tables = {
  recommendation_batch: {
    columns: { user_id: 'text', plugin_id: 'text', source: 'text', asked_at: 'text?', generated_at: 'text?' },
    primaryKey: ['user_id', 'plugin_id'],
    foreignKeys: {
      recommendation_batch_user: ['user_id', 'user', 'cascade'],
      recommendation_batch_of: ['plugin_id', 'plugin', 'cascade'],
    },
    indexes: { recommendation_batch_of_plugin: ['plugin_id'] },
  },
  recommendation: {
    columns: {
      user_id: 'text',
      plugin_id: 'text',
      external_id: 'text',
      place: 'integer',
      score: 'real',
      // A series of this server, as the plugin says: where it is hidden, so is this.
      series_id: 'text?',
      // JSON: the series that its reason may name.
      based_on_ids: 'text',
      // JSON.
      item: 'text',
    },
    primaryKey: ['user_id', 'plugin_id', 'external_id'],
    foreignKeys: { recommendation_of_batch: [['user_id', 'plugin_id'], 'recommendation_batch', 'cascade'] },
  },
  recommendation_dismissal: {
    columns: { user_id: 'text', source: 'text', external_id: 'text', reason: 'text?', dismissed_at: 'text' },
    primaryKey: ['user_id', 'source', 'external_id'],
    foreignKeys: { recommendation_dismissal_user: ['user_id', 'user', 'cascade'] },
  },
}
