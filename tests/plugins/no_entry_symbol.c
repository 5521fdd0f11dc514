/* SPDX-License-Identifier: Apache-2.0
 * A shared object that is no plugin at all.
 */
__attribute__((visibility("default"))) int skh_plugin_entry_v0(void);

int skh_plugin_entry_v0(void) { return 0; }
