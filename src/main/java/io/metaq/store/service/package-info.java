/** The store's verticles: they give the store library its threads, and proxies that name each crossing. */
package io.metaq.store.service;
